// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/cards/card_face.h"

#include "core/recipes/candidates.h"
#include "core/recipes/recipe.h"
#include "ui/models/candidate_style.h"
#include "ui/models/card_order.h"
#include "ui/models/outcome_text.h"
#include "ui/models/result_columns.h"
#include "ui/theme/translate.h"

namespace calibscope {

namespace {

QString groupOf(const OutcomeRow& row, std::size_t place)
{
    if (row.origin != OutcomeRow::Origin::Listed)
        return tr("Your own");
    if (place < standardCandidates || row.candidate.recipes.empty())
        return tr("Standard");
    return QString::fromStdString(recipe(row.candidate.recipes.front()).vendor);
}

QString numbersOf(const OutcomeRow& row)
{
    if (!row.hasResult())
        return row.outcome ? QString::fromStdString(row.outcome->problem) : QString();
    const ScaleRow& whole = row.outcome->whole;
    QStringList parts;
    if (whole.clip.threshold)
        parts += resultText(resultColumn("threshold"), whole);
    else if (whole.clip.range)
        parts += tr("%1 … %2").arg(resultText(resultColumn("low"), whole),
                                   resultText(resultColumn("high"), whole));
    parts += tr("scale %1").arg(resultText(resultColumn("scale"), whole));
    if (const QString clipped = resultText(resultColumn("clipped_share"), whole);
        !clipped.isEmpty())
        parts += tr("clips %1 %").arg(clipped);
    return parts.join(QStringLiteral("   "));
}

QString toolTipOf(const OutcomeRow& row)
{
    QStringList lines = settingLines(row.candidate.choice);
    if (!row.recipeTitles.isEmpty())
        lines += tr("Used by: %1").arg(row.recipeTitles.join(QStringLiteral("; ")));
    return (lines + noteLines(row)).join(u'\n');
}

}  // namespace

std::vector<CardFace> cardFaces(const std::vector<OutcomeRow>& rows, const ChartColors& colors)
{
    const std::vector<bool> isBest = bestRows(rows);
    const std::vector<bool> isSought = soughtRows(rows);
    std::vector<CardFace> faces;
    for (const std::size_t place : cardOrder(rows)) {
        const OutcomeRow& row = rows[place];
        faces.push_back(
            {.id = row.candidate.id,
             .label = row.candidate.label,
             .group = isSought[place] ? tr("Recipe, best, manual") : groupOf(row, place),
             .figure = sqnrFigure(row),
             .numbers = numbersOf(row),
             .toolTip = toolTipOf(row),
             .style = candidateStyle(row.candidate.id, colors),
             .isTicked = row.isTicked,
             .isBest = isBest[place],
             .isChosen = row.isProposed,
             .isRecipes = row.isChosenRecipes && !row.isProposed,
             .isChanged = row.isEdited,
             .isAccepted = row.isAccepted});
    }
    return faces;
}

}  // namespace calibscope
