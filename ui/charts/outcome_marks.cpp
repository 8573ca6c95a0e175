#include "ui/charts/outcome_marks.h"

#include "ui/candidate_style.h"
#include "ui/charts/search_mark.h"

#include <QCoreApplication>

#include <algorithm>

namespace calibscope {

namespace {

QString tr(const char* text)
{
    return QCoreApplication::translate("OutcomeMarks", text);
}

bool isDrawn(const OutcomeRow& row)
{
    return row.isTicked && row.hasResult();
}

bool isEmphasised(const OutcomeRow& row, const MarkWish& wish)
{
    return wish.emphasised.empty() ? row.isChosenRecipes : row.candidate.label == wish.emphasised;
}

}  // namespace

std::vector<ThresholdMark> thresholdMarks(const std::vector<OutcomeRow>& rows, const MarkWish& wish)
{
    std::vector<ThresholdMark> marks;
    for (std::size_t place = 0; place < rows.size(); ++place) {
        const OutcomeRow& row = rows[place];
        if (!isDrawn(row))
            continue;
        const SeriesStyle style = candidateStyle(place, wish.colors);
        marks.push_back({.label = QString::fromStdString(row.candidate.label),
                         .color = style.color,
                         .style = style.pen,
                         .clip = row.outcome->whole.quantizer.clip,
                         .emphasised = isEmphasised(row, wish)});
    }
    return marks;
}

std::vector<CurveMark> curveMarks(const std::vector<OutcomeRow>& rows, const MarkWish& wish)
{
    std::vector<CurveMark> marks;
    for (std::size_t place = 0; place < rows.size(); ++place) {
        const OutcomeRow& row = rows[place];
        if (!isDrawn(row))
            continue;
        std::optional<CurveMark> mark = searchMark(*row.outcome);
        if (!mark)
            continue;
        const SeriesStyle style = candidateStyle(place, wish.colors);
        mark->label = QString::fromStdString(row.candidate.label);
        mark->color = style.color;
        mark->style = style.pen;
        mark->emphasised = isEmphasised(row, wish);
        mark->showsParts = row.candidate.label == wish.emphasised;
        marks.push_back(std::move(*mark));
    }
    return marks;
}

QString noCurvesText(const std::vector<OutcomeRow>& rows)
{
    const bool searches = std::ranges::any_of(rows, [](const OutcomeRow& row) {
        const Choice& choice = row.candidate.choice;
        return isDrawn(row) && choice.granularity == Granularity::Tensor &&
               calibrator(choice.calibrator).hasCurve;
    });
    return searches ? tr("There was nothing to search: the notes of the result say why.")
                    : tr("No ticked calibrator searches a curve. Tick an entropy to see its KL "
                         "divergence against the threshold.");
}

}  // namespace calibscope
