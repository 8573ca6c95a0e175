// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/cards/calibrator_card.h"

#include "core/recipes/make_choice.h"
#include "tests/support/catch.h"
#include "ui/models/card_order.h"
#include "ui/theme/name_parts.h"
#include "ui/theme/theme.h"
#include "ui/widgets/parts_label.h"

#include <QFontMetricsF>

namespace calibrator_card_test {

using namespace calibscope;

OutcomeRow rowOf(const std::string& label, std::optional<double> sqnrDb,
                 std::vector<std::string> recipes = {})
{
    OutcomeRow row;
    row.candidate = {
        label, makeChoice("min-max", {}, SchemeKind::SymmetricRestricted, Granularity::Tensor),
        label, std::move(recipes)};
    Outcome outcome{.choice = row.candidate.choice};
    outcome.whole.clip.threshold = 2.391;
    outcome.whole.quantizer.scale = 0.01883;
    outcome.whole.hasExactMetrics = true;
    if (sqnrDb)
        outcome.whole.metrics = {{"sqnr_db", *sqnrDb}, {"clipped_share", 0.00066}};
    row.outcome = outcome;
    return row;
}

std::vector<CardFace> facesOf(const std::vector<OutcomeRow>& rows)
{
    return cardFaces(rows, lightChartColors());
}

TEST_CASE("a face shows threshold, scale, clipped share and SQNR")
{
    const CardFace face = facesOf({rowOf("a", 29.754)}).front();
    CHECK(face.figure == "29.75 dB");
    CHECK(face.numbers == "2.391   scale 0.01883   clips 0.066 %");
    CHECK(face.toolTip == "The whole recorded range, or a fraction of it close to 1.");
}

TEST_CASE("a card's tool tip says what it is, what it gave and where it is from, in a few lines")
{
    OutcomeRow row = rowOf("a", 29.754);
    row.recipeTitles = {"Vendor, recipe", QString(300, u'x')};
    Outcome outcome = *row.outcome;
    outcome.whole.notes.assign(20, "a note");
    row.outcome = outcome;
    CalibratorCard card;
    card.setFace(facesOf({row}).front());
    const QStringList lines = card.findChild<PartsLabel*>()->toolTip().split(u'\n');
    CHECK(lines.size() <= 8);
    CHECK(lines.mid(0, 3).join(u'|') == "a|2.391   scale 0.01883   clips 0.066 %|The whole "
                                        "recorded range, or a fraction of it close to 1.");
    CHECK(lines[3].startsWith("Used by: Vendor, recipe"));
}

TEST_CASE("what is not there yet, and what can't be there, differ")
{
    OutcomeRow pending = rowOf("a", {});
    pending.outcome.reset();
    pending.isPending = true;
    OutcomeRow failed = rowOf("b", {});
    failed.outcome = Outcome{.problem = "needs values"};
    const std::vector<CardFace> faces = facesOf({pending, failed, rowOf("c", {})});
    CHECK(faces[0].figure == "…");
    CHECK(faces[1].figure == "–");
    CHECK(faces[1].numbers == "needs values");
    CHECK(faces[2].figure == "–");
}

TEST_CASE("labels give way where they do not differ")
{
    loadFonts();
    const auto faces = facesOf({rowOf("entropy, first bin discarded, empty bins spread", 1.0),
                                rowOf("entropy, first bin discarded, no fold-in", 1.0)});
    const QFontMetricsF metrics(pictureFont(12));
    const auto shown = [&metrics](const CardFace& face) {
        return elidedName(QString::fromStdString(face.label), metrics, 150.0, face.needs);
    };
    CHECK(shown(faces[0]).endsWith("empty bins spread"));
    CHECK(shown(faces[1]).endsWith("no fold-in"));
}

TEST_CASE("the best stands out unless all are alike")
{
    const auto faces = facesOf({rowOf("a", 20.0), rowOf("b", 24.0), rowOf("c", 24.001)});
    // Of two that look alike the first one is on top.
    CHECK(faces[0].label == "b");
    CHECK(faces[0].isBest);
    CHECK_FALSE(faces[1].isBest);
    CHECK(faces[2].isBest);
    CHECK_FALSE(facesOf({rowOf("a", 20.0), rowOf("b", 20.0)}).front().isBest);
}

TEST_CASE("faces know their group and whether they are changed")
{
    std::vector<OutcomeRow> rows(standardCandidates, rowOf("a", 1.0));
    rows.push_back(rowOf("b", 1.0, {"qualcomm-mse"}));
    rows.push_back(rowOf("c", 1.0));
    rows[5].isEdited = true;
    rows[6].origin = OutcomeRow::Origin::Added;
    const auto faces = facesOf(rows);
    CHECK(faces[0].group == "Standard");
    CHECK(faces[5].group == "Qualcomm");
    CHECK(faces[6].group == "Your own");
    CHECK(faces[5].isChanged);
    CHECK_FALSE(faces[6].isChanged);
}

TEST_CASE("the recipe's choice, the best and the manual range are the first cards")
{
    std::vector<OutcomeRow> rows;
    for (int row = 0; row < 8; ++row)
        rows.push_back(rowOf("plain" + std::to_string(row), 10.0 + row));
    rows[3].isChosenRecipes = true;
    rows[5] = rowOf("best", 40.0);
    rows[7] = rowOf("manual", 12.0);
    rows[7].origin = OutcomeRow::Origin::Manual;
    const auto idsOf = [](const std::vector<CardFace>& faces) {
        std::vector<std::string> ids;
        for (std::size_t place = 0; place < 4; ++place)
            ids.push_back(faces[place].label);
        return ids;
    };
    CHECK(idsOf(facesOf(rows)) == std::vector<std::string>{"plain3", "best", "manual", "plain0"});
    CHECK(facesOf(rows)[2].group == facesOf(rows)[0].group);
    CHECK(facesOf(rows)[3].group == "Standard");
    // While results come in no card moves for being the best so far.
    rows[0].isPending = true;
    CHECK(idsOf(facesOf(rows)) == std::vector<std::string>{"plain3", "manual", "plain0", "plain1"});
}

TEST_CASE("the card that the user settled on is marked")
{
    OutcomeRow settled = rowOf("a", 20.0);
    settled.isAccepted = true;
    const std::vector<CardFace> faces = facesOf({settled, rowOf("b", 20.0)});
    CHECK(faces[0].isAccepted);
    CHECK_FALSE(faces[1].isAccepted);
}

TEST_CASE("faces come in the order of the cards")
{
    std::vector<OutcomeRow> rows = {rowOf("a", 20.0), rowOf("b", 24.0), rowOf("c", 30.0)};
    rows[1].isChosenRecipes = true;
    const std::vector<CardFace> faces = facesOf(rows);
    REQUIRE(faces.size() == 3);
    for (std::size_t place = 0; place < faces.size(); ++place)
        CHECK(faces[place].label == rows[cardOrder(rows)[place]].candidate.label);
}

}  // namespace calibrator_card_test
