#include "ui/panels/cards/card_face.h"

#include "core/recipes/candidates.h"
#include "core/recipes/recipe.h"
#include "ui/models/candidate_style.h"
#include "ui/models/outcome_text.h"
#include "ui/models/result_columns.h"
#include "ui/theme/translate.h"

#include <algorithm>
#include <iterator>
#include <limits>

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

QString figureOf(const OutcomeRow& row)
{
    if (row.isPending && !row.isEstimate)
        return QStringLiteral("…");
    if (!row.hasResult())
        return QStringLiteral("–");
    const QString sqnr = resultText(resultColumn("sqnr_db"), row.outcome->whole);
    return sqnr.isEmpty() ? QStringLiteral("–") : tr("%1 dB").arg(sqnr);
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

/// Cards don't change places while results come in.
void putFirst(std::vector<CardFace>& faces, const std::vector<OutcomeRow>& rows)
{
    const bool isComputed = std::ranges::none_of(rows, &OutcomeRow::isPending);
    std::vector<CardFace> first;
    std::vector<CardFace> others;
    bool hasBest = false;
    for (std::size_t place = 0; place < rows.size(); ++place) {
        const bool isFirstBest = isComputed && faces[place].isBest && !hasBest;
        hasBest = hasBest || isFirstBest;
        const bool isSought = rows[place].isChosenRecipes || isFirstBest ||
                              rows[place].origin == OutcomeRow::Origin::Manual;
        if (isSought)
            faces[place].group = tr("Recipe, best, manual");
        (isSought ? first : others).push_back(std::move(faces[place]));
    }
    faces = std::move(first);
    std::ranges::move(others, std::back_inserter(faces));
}

/// Figures that look alike are alike.
void markBest(std::vector<CardFace>& faces, const std::vector<OutcomeRow>& rows)
{
    double best = -std::numeric_limits<double>::infinity();
    double least = std::numeric_limits<double>::infinity();
    QString bestFigure;
    QString leastFigure;
    for (std::size_t place = 0; place < rows.size(); ++place) {
        const std::optional<double> db =
            rows[place].hasResult() ? rows[place].outcome->whole.metric("sqnr_db") : std::nullopt;
        if (!db)
            continue;
        if (*db >= best) {
            best = *db;
            bestFigure = faces[place].figure;
        }
        if (*db <= least) {
            least = *db;
            leastFigure = faces[place].figure;
        }
    }
    if (bestFigure != leastFigure)
        for (CardFace& face : faces)
            face.isBest = face.figure == bestFigure;
}

}  // namespace

std::vector<CardFace> cardFaces(const std::vector<OutcomeRow>& rows, const ChartColors& colors)
{
    std::vector<CardFace> faces;
    for (std::size_t place = 0; place < rows.size(); ++place) {
        const OutcomeRow& row = rows[place];
        faces.push_back({.id = row.candidate.id,
                         .label = row.candidate.label,
                         .group = groupOf(row, place),
                         .figure = figureOf(row),
                         .numbers = numbersOf(row),
                         .toolTip = toolTipOf(row),
                         .style = candidateStyle(row.candidate.id, colors),
                         .isTicked = row.isTicked,
                         .isChosen = row.isProposed,
                         .isRecipes = row.isChosenRecipes && !row.isProposed,
                         .isChanged = row.isEdited,
                         .isAccepted = row.isAccepted});
    }
    markBest(faces, rows);
    putFirst(faces, rows);
    return faces;
}

}  // namespace calibscope
