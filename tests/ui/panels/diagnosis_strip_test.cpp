// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/diagnosis_strip.h"

#include "tests/support/tested_document.h"
#include "ui/document/decisions.h"
#include "ui/document/previews.h"
#include "ui/widgets/parts_label.h"

#include <QToolButton>

namespace diagnosis_strip_test {

using namespace calibscope;
using calibscope::test::FakeEngine;

/// A document whose matrix has 10 dB, 11 dB, ... for the candidates of each tensor.
struct Swept
{
    Swept()
    {
        document.open("/a.h5");
        FakeEngine::answer(waited.opens, test::someDump());
        document.questions().startMatrix(false);
        while (!background.views.empty())
            FakeEngine::answer(background.views, test::viewFor(background.views.front().request));
    }
    /// Places of the recipe's choice and of the last candidate.
    std::pair<int, int> places(int tensor) const
    {
        const std::vector<OutcomeRow> rows = rowsOf(document, tensor);
        const auto recipes = std::ranges::find(rows, true, &OutcomeRow::isChosenRecipes);
        return {static_cast<int>(recipes - rows.begin()), static_cast<int>(rows.size()) - 1};
    }

    FakeEngine waited;
    FakeEngine background;
    Document document{waited, background};
};

TEST_CASE("what gains most over the recipe is known of every tensor that was swept")
{
    Swept test;
    const auto [recipes, last] = test.places(test::a);
    REQUIRE(recipes < last);
    const std::optional<BetterChoice> better = betterOn(test.document, test::a);
    REQUIRE(better);
    CHECK(better->gainDb == last - recipes);
    CHECK(better->candidate.id ==
          rowsOf(test.document, test::a)[static_cast<std::size_t>(last)].candidate.id);
    CHECK_FALSE(betterOn(test.document, test::odd));
    test.document.questions().matrix().clear();
    CHECK_FALSE(betterOn(test.document, test::a));
}

TEST_CASE("where one value is the signal no calibrator is offered")
{
    Swept test;
    Extents extents;
    extents.finite = 1000;
    extents.max = 1e30;
    extents.absSecond = 3.0;
    test.document.previews().take(test::a, {.extents = extents});
    CHECK_FALSE(betterOn(test.document, test::a));
    test.document.select(test::a);
    DiagnosisStrip strip(test.document);
    CHECK(strip.text().startsWith("One value (1×10³⁰) is the signal"));
    CHECK(strip.findChild<QToolButton*>("acceptBetter")->isHidden());
    CHECK_FALSE(acceptBetter(test.document));
}

TEST_CASE("the line tells the diagnosis of the selected tensor, and its button accepts")
{
    Swept test;
    DiagnosisStrip strip(test.document);
    CHECK(strip.isHidden());
    test.document.select(test::a);
    test.document.previews().take(test::a,
                                  {.extents = {},
                                   .sparkline = {},
                                   .sqnrDb = 11.0,
                                   .notes = {},
                                   .findings = {{FindingKind::HeavyTail, 5.6, "heavy tail"}}});
    CHECK_FALSE(strip.isHidden());
    CHECK(strip.text().startsWith("Heavy tail (max 5.6 × p99.9)."));
    const std::optional<BetterChoice> better = betterOn(test.document, test::a);
    REQUIRE(better);
    auto& button = *strip.findChild<QToolButton*>("acceptBetter");
    CHECK_FALSE(button.isHidden());
    button.click();
    REQUIRE(decisionOf(test.document, test::a));
    CHECK(decisionOf(test.document, test::a)->id == better->candidate.id);
    CHECK(button.isHidden());
    test.document.select(test::odd);
    CHECK(strip.isHidden());
    CHECK_FALSE(acceptBetter(test.document));
}

TEST_CASE("a diagnosis without room leaves out whole findings and counts them")
{
    Swept test;
    DiagnosisStrip strip(test.document);
    test.document.select(test::a);
    test.document.previews().take(
        test::a, {.sqnrDb = 11.0,
                  .findings = {{FindingKind::HeavyTail, 5.6, "heavy tail"},
                               {FindingKind::OneSided, 0.0, "one-sided: nothing below 0"},
                               {FindingKind::UnstableBatches, 2.5, "unstable"}}});
    auto& sentence = *strip.findChild<ElidedLabel*>("diagnosis");
    sentence.resize(4000, sentence.height());
    CHECK(sentence.shownText() == sentence.text());
    const QString least = "Heavy tail (max 5.6 × p99.9) and 2 more.";
    sentence.resize(sentence.fontMetrics().horizontalAdvance(least) * 2 / 3, sentence.height());
    CHECK(QString(sentence.shownText()).replace(u'\n', u' ') == least);
    CHECK(strip.text().startsWith("Heavy tail (max 5.6 × p99.9), one-sided, "));
}

TEST_CASE("what the pointer is on is explained instead of the diagnosis")
{
    Swept test;
    DiagnosisStrip strip(test.document);
    strip.resize(500, 40);
    test.document.select(test::a);
    test.document.previews().take(test::a, {.sqnrDb = 11.0});
    const QString before = strip.text();
    auto& button = *strip.findChild<QToolButton*>("acceptBetter");
    strip.explain("Under the pointer: a");
    CHECK(strip.text().startsWith("Under the pointer: a"));
    CHECK_FALSE(button.isHidden());
    strip.explain(QString(200, u'x'));
    CHECK(button.isHidden());  // it has the room
    strip.explain({});
    CHECK(strip.text() == before);
}

TEST_CASE("while another tensor is read nothing of the former one is offered")
{
    FakeEngine waited;
    FakeEngine background;
    Document document{waited, background};
    document.open("/a.h5");
    FakeEngine::answer(waited.opens, test::someDump());
    DiagnosisStrip strip(document);
    for (const int tensor : {test::a, test::b})
        document.previews().take(
            tensor, {.extents = {}, .sparkline = {}, .sqnrDb = 11.0, .notes = {}, .findings = {}});
    document.select(test::a);
    while (!waited.views.empty())
        FakeEngine::answer(waited.views, test::viewFor(waited.views.front().request));
    REQUIRE(betterOn(document, test::a));
    auto& button = *strip.findChild<QToolButton*>("acceptBetter");
    CHECK_FALSE(button.isHidden());
    document.select(test::b);
    CHECK(button.isHidden());
    CHECK_FALSE(betterOn(document, test::b));
}

}  // namespace diagnosis_strip_test
