// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/inspector.h"

#include "core/recipes/choice_edit.h"
#include "core/recipes/make_choice.h"
#include "tests/support/becomes_quiet.h"
#include "tests/support/catch.h"
#include "tests/support/fake_engine.h"
#include "ui/document/card_choice.h"
#include "ui/document/questions.h"
#include "ui/panels/cards/add_menu.h"
#include "ui/panels/cards/calibrator_card.h"
#include "ui/panels/cards/card_details.h"
#include "ui/panels/cards/card_list.h"
#include "ui/theme/chart_colors.h"
#include "ui/widgets/parameter_form.h"
#include "ui/widgets/parts_label.h"

#include <QComboBox>
#include <QTest>

namespace inspector_test {

using namespace calibscope;
using calibscope::test::becomesQuiet;
using calibscope::test::FakeEngine;

/// For each choice an outcome with an SQNR of 10 dB, 11 dB, ...
protocol::TensorView viewFor(const protocol::ViewRequest& request)
{
    protocol::TensorView view;
    double sqnrDb = 10.0;
    for (const Choice& choice : request.choices) {
        Outcome outcome{.choice = choice};
        outcome.whole.clip.threshold = 1.0;
        outcome.whole.hasExactMetrics = true;
        outcome.whole.metrics = {{"sqnr_db", sqnrDb++}};
        view.outcomes.push_back(outcome);
    }
    return view;
}

struct Tested
{
    Tested()
    {
        inspector.resize(400, 900);
        inspector.show();
        document.open("/a.h5");
        FakeEngine::answer(
            waited.opens,
            protocol::DumpOpened{
                .tensors = {{.name = "a", .path = "/a", .role = Role::Activation, .shape = {8, 4}},
                            {.name = "odd", .path = "/odd", .unreadable = "no plugin"}}});
        document.select(0);
        FakeEngine::answer(waited.views, viewFor(waited.views.front().request));
        settle();
    }
    /// Rows are shown a moment later.
    void settle() const { REQUIRE(becomesQuiet(inspector)); }
    CalibratorCard& card(const std::string& label) const
    {
        CalibratorCard* found = inspector.cards().card(label);
        REQUIRE(found);
        return *found;
    }
    void open(const std::string& label)
    {
        QTest::mouseClick(&card(label), Qt::LeftButton, {}, {60, 10});
        settle();
    }

    FakeEngine waited;
    FakeEngine background;
    Document document{waited, background};
    Inspector inspector{document};
};

TEST_CASE("there is a card for every candidate, with its numbers")
{
    const Tested test;
    CHECK(test.inspector.cards().cards().size() == test.document.questions().rows().size());
    CHECK(test.card("min-max").face().figure == "10.00 dB");
    CHECK(test.card("entropy").face().isTicked);
}

TEST_CASE("a click opens a card with the form of its settings, a second one closes it")
{
    Tested test;
    test.open("entropy");
    CHECK(cardsOf(test.document).chosen() == "entropy");
    CHECK(test.inspector.details().isVisible());
    CHECK(test.inspector.details().form().control("levels").value() == "qmax");
    test.open("percentile");
    CHECK(test.inspector.details().form().control("alpha").value() == "99.999");
    test.open("percentile");
    CHECK_FALSE(test.inspector.details().isVisible());
}

TEST_CASE("a loss against the recipe's choice has the colour of losses, a gain has not")
{
    Tested test;
    const auto& note = *test.inspector.findChild<ElidedLabel*>("acceptedNote");
    const QPalette usual = test.inspector.palette();
    const auto ink = [&](const std::string& candidate) {
        cardsOf(test.document).choose(candidate);
        test.settle();
        return note.palette().color(note.foregroundRole());
    };
    const QColor ofLoss = ink("min-max");
    REQUIRE(note.text().contains(": −"));
    CHECK(ofLoss != usual.color(note.foregroundRole()));
    CHECK(contrastRatio(ofLoss, usual.color(QPalette::Base)) >= 4.5);
    CHECK(ink(test.document.questions().rows().back().candidate.id) ==
          usual.color(note.foregroundRole()));
    CHECK(note.text().contains(": +"));
}

TEST_CASE("an edit in the form is a step that can be undone")
{
    Tested test;
    test.open("entropy");
    auto& words = *test.inspector.details().form().control("first-bin").findChild<QComboBox*>();
    words.setCurrentText("discarded");
    Q_EMIT words.activated(words.currentIndex());
    REQUIRE(test.document.workbench().edits.contains("entropy"));
    CHECK(settingOf(test.document.workbench().edits.at("entropy"), "first-bin") == "discarded");
    test.settle();
    CHECK(test.card("entropy").face().isChanged);
    test.document.undo();
    test.settle();
    CHECK_FALSE(test.card("entropy").face().isChanged);
}

TEST_CASE("an unreadable tensor has no cards, but its facts")
{
    Tested test;
    test.document.select(1);
    test.settle();
    CHECK_FALSE(test.inspector.cards().isVisible());
    CHECK(test.inspector.findChild<FactView*>()->toPlainText().contains("no plugin"));
}

TEST_CASE("ticks, the pointer and the open card are the document's")
{
    Tested test;
    QTest::keyClick(&test.card("min-max"), Qt::Key_Space);
    CHECK_FALSE(test.document.workbench().ticks.at("min-max"));
    Q_EMIT test.inspector.cards().hovered("entropy");
    CHECK(cardsOf(test.document).hovered() == "entropy");
    cardsOf(test.document).hover({});
    cardsOf(test.document).choose("min-max");
    test.settle();
    CHECK(test.card("min-max").isChosen());
}

}  // namespace inspector_test
