// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/calibrators/explain_view.h"

#include "core/recipes/preset.h"
#include "tests/support/catch.h"
#include "tests/support/fake_engine.h"
#include "tests/support/view_samples.h"
#include "ui/document/questions.h"

#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QTableView>
#include <QTest>

namespace explain_view_test {

using namespace calibscope;
using namespace calibscope::test;

struct Tested
{
    Tested()
    {
        document.open("/a.h5");
        FakeEngine::answer(waited.opens, protocol::DumpOpened{.tensors = {{.name = "a",
                                                                           .path = "/a",
                                                                           .role = Role::Activation,
                                                                           .shape = {8, 4}}}});
        document.select(0);
        answer();
        view.resize(700, 400);
        view.show();
    }
    void answer() { FakeEngine::answer(waited.views, viewFor(waited.views.front().request)); }
    void choose(QComboBox& list, const QString& text)
    {
        list.setCurrentText(text);
        REQUIRE(list.currentText() == text);
        Q_EMIT list.activated(list.currentIndex());
    }

    FakeEngine waited;
    FakeEngine background;
    Document document{waited, background};
    ExplainView view{document};
};

TEST_CASE("cards and presets can be compared, at first the recipe's with the best")
{
    Tested test;
    const auto rows = static_cast<int>(test.document.questions().rows().size());
    QStringList titles;
    for (const Preset& preset : presets())
        titles += QString::fromStdString(preset.title);
    titles.removeDuplicates();
    REQUIRE(test.view.from().count() == rows + titles.size());
    for (int index = rows; index < test.view.from().count(); ++index)
        CHECK(test.view.from().itemText(index) == titles[index - rows]);
    CHECK(test.view.from().currentIndex() >= 0);
    CHECK(test.view.to().currentIndex() >= 0);
    REQUIRE(test.waited.views.size() == 1);
}

TEST_CASE("the steps are listed at once, with their numbers when they are there")
{
    Tested test;
    test.answer();
    test.choose(test.view.from(), "entropy");
    test.choose(test.view.to(), "Entropy, as NVIDIA writes it, over all bins");
    const QAbstractItemModel& steps = *test.view.steps().model();
    REQUIRE(steps.rowCount() == 2);
    CHECK(steps.index(1, 0).data().toString().contains("discarded instead of counted"));
    while (!test.waited.views.empty())
        test.answer();
    QString texts;
    for (const QLabel* label : test.view.findChildren<QLabel*>())
        texts += label->text();
    CHECK(texts.contains("All steps combined"));
    CHECK_FALSE(test.view.steps().isColumnHidden(StepColumn::Threshold));
    test.view.resize(550, 400);  // steps and their bars keep room
    CHECK(test.view.steps().isColumnHidden(StepColumn::Threshold));
    CHECK(test.view.steps().isColumnHidden(StepColumn::Scale));
    CHECK_FALSE(test.view.steps().isColumnHidden(StepColumn::SqnrChange));
}

TEST_CASE("a step can be kept as a card")
{
    Tested test;
    test.choose(test.view.from(), "entropy");
    test.choose(test.view.to(), "Entropy as pytorch-quantization");
    auto& keep = *test.view.findChild<QPushButton*>();
    CHECK_FALSE(keep.isEnabled());
    test.view.steps().setCurrentIndex(test.view.steps().model()->index(1, 0));
    CHECK(keep.isEnabled());
    std::string added;
    QObject::connect(&test.view, &ExplainView::cardAdded,
                     [&](const std::string& label) { added = label; });
    keep.click();
    CHECK_FALSE(added.empty());
    const auto rows = test.document.questions().rows();
    CHECK(std::ranges::any_of(rows,
                              [&](const OutcomeRow& row) { return row.candidate.id == added; }));
}

}  // namespace explain_view_test
