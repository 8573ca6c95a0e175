// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/browse_marks.h"

#include "core/calibrators/calibrator.h"
#include "core/quant/reconstruction.h"
#include "ui/charts/marks.h"
#include "ui/models/candidate_style.h"
#include "ui/models/inspector_facts.h"
#include "ui/models/result_columns.h"
#include "ui/plot/number_label.h"
#include "ui/theme/translate.h"

#include <algorithm>

namespace calibscope {

namespace {

/// An open card and a decision are drawn, ticked or not.
bool isWanted(const OutcomeRow& row)
{
    return row.isTicked || row.isOpen || row.isAccepted;
}

bool isDrawn(const OutcomeRow& row)
{
    return isWanted(row) && row.hasResult();
}

bool isManual(const OutcomeRow& row)
{
    return row.origin == OutcomeRow::Origin::Manual;
}

/// Follows from the extents alone.
bool needsNoValues(const OutcomeRow& row)
{
    const Choice& choice = row.candidate.choice;
    return choice.granularity == Granularity::Tensor && choice.rangeFrom.empty() &&
           !calibrator(choice.calibrator).needs;
}

Quantizer quantizerUnder(const Choice& choice, const Extents& extents)
{
    TensorProfile profile;
    profile.moments.extents = extents;
    const Scheme scheme = schemeFor(choice.scheme, {extents.min, extents.max});
    const CalibratorInput input{.settings = choice.settings, .scheme = scheme};
    const Calibration found = calibrator(choice.calibrator).calibrate(input, profile);
    return makeQuantizer(scheme, found.clip).quantizer;
}

/// What a hand has set is known before the engine answers: the next key goes on from it.
std::optional<Quantizer> drawnQuantizer(const OutcomeRow& row, const Extents& extents)
{
    if (isWanted(row) && isManual(row))
        return quantizerUnder(row.candidate.choice, extents);
    return isDrawn(row) ? std::optional(row.outcome->whole.quantizer) : std::nullopt;
}

}  // namespace

std::optional<Range> drawnClip(const OutcomeRow& row, const Extents& extents)
{
    const std::optional<Quantizer> quantizer = drawnQuantizer(row, extents);
    return quantizer ? std::optional(quantizer->clip) : std::nullopt;
}

std::vector<ThresholdMark> thresholdMarks(std::span<const OutcomeRow> rows, const Extents& extents,
                                          const ChartColors& colors)
{
    std::vector<ThresholdMark> marks;
    for (const OutcomeRow& row : rows) {
        const std::optional<Quantizer> quantizer = drawnQuantizer(row, extents);
        if (!quantizer)
            continue;
        const SeriesStyle style = candidateStyle(row.candidate.id, colors);
        marks.push_back({.label = QString::fromStdString(row.candidate.label),
                         .color = style.color,
                         .style = style.pen,
                         .clip = quantizer->clip,
                         .emphasised = row.isProposed,
                         .step = quantizer->scale,
                         .id = QString::fromStdString(row.candidate.id)});
    }
    return marks;
}

std::vector<CurveMark> curveMarks(std::span<const OutcomeRow> rows, const TensorProfile& profile,
                                  Domain domain, const ChartColors& colors)
{
    std::vector<CurveMark> marks;
    for (const OutcomeRow& row : rows) {
        if (!isDrawn(row))
            continue;
        std::optional<CurveMark> mark = searchMark(*row.outcome, profile, domain);
        if (!mark)
            continue;
        const SeriesStyle style = candidateStyle(row.candidate.id, colors);
        mark->id = QString::fromStdString(row.candidate.id);
        mark->label = QString::fromStdString(row.candidate.label);
        mark->color = style.color;
        mark->style = style.pen;
        mark->marker = style.marker;
        mark->emphasised = row.isProposed;
        marks.push_back(std::move(*mark));
    }
    return marks;
}

bool mayHaveCurve(std::span<const OutcomeRow> rows)
{
    return std::ranges::any_of(rows, [](const OutcomeRow& row) {
        const Choice& choice = row.candidate.choice;
        const bool searches = row.isTicked && choice.granularity == Granularity::Tensor &&
                              calibrator(choice.calibrator).hasCurve;
        return searches && (row.isPending || isDrawn(row));
    });
}

QString noCurveText(std::span<const OutcomeRow> rows)
{
    const bool searches = std::ranges::any_of(rows, [](const OutcomeRow& row) {
        const Choice& choice = row.candidate.choice;
        return isDrawn(row) && choice.granularity == Granularity::Tensor &&
               calibrator(choice.calibrator).hasCurve;
    });
    return searches ? tr("There was nothing to search; see the notes of the result.")
                    : tr("No ticked calibrator searches a curve. Tick an entropy calibrator to see "
                         "its KL divergence against the threshold.");
}

const OutcomeRow* rowInFocus(std::span<const OutcomeRow> rows)
{
    const auto first = [&](auto isMeant) -> const OutcomeRow* {
        const auto found = std::ranges::find_if(
            rows, [&](const OutcomeRow& row) { return isDrawn(row) && isMeant(row); });
        return found == rows.end() ? nullptr : &*found;
    };
    if (const OutcomeRow* proposed = first([](const OutcomeRow& row) { return row.isProposed; }))
        return proposed;
    if (const OutcomeRow* chosen = first([](const OutcomeRow& row) { return row.isChosenRecipes; }))
        return chosen;
    return first([](const OutcomeRow&) { return true; });
}

ErrorMark errorMark(const OutcomeRow& row, const TensorProfile& profile, const Histogram& bins,
                    const ChartColors& colors)
{
    const Quantizer& quantizer = row.outcome->whole.quantizer;
    return {.error = binnedError(profile.sketch, quantizer, bins),
            .label = QString::fromStdString(row.candidate.label),
            .clip = quantizer.clip,
            .roundingColor = colors.fill,
            .clippingColor = seriesStyle(1, colors).color};
}

std::optional<QuantizedMark> quantizedMark(const OutcomeRow& row, const TensorProfile& profile,
                                           const Histogram& bins, const ChartColors& colors)
{
    if (row.outcome->isPerChannel())
        return std::nullopt;
    const Quantizer& quantizer = row.outcome->whole.quantizer;
    return QuantizedMark{.quantizer = quantizer,
                         .counts = reconstructedCounts(profile.sketch, quantizer, bins),
                         .label = QString::fromStdString(row.candidate.label),
                         .color = colors.text};
}

std::vector<HeatPath> heatPaths(std::span<const OutcomeRow> rows, const TensorProfile& profile,
                                const ChartColors& colors)
{
    std::vector<HeatPath> paths;
    for (const OutcomeRow& row : rows) {
        if (!isDrawn(row) || !needsNoValues(row))
            continue;
        const SeriesStyle style = candidateStyle(row.candidate.id, colors);
        HeatPath path{.label = QString::fromStdString(row.candidate.label),
                      .color = style.color,
                      .style = style.pen,
                      .emphasised = row.isProposed};
        Extents soFar;
        for (const Extents& batch : profile.batches) {
            soFar += batch;
            path.clips.push_back(quantizerUnder(row.candidate.choice, soFar).clip);
        }
        paths.push_back(std::move(path));
    }
    return paths;
}

LearningMarks learningMarks(std::span<const OutcomeRow> rows,
                            const std::function<StudyReader::Found(const Choice& choice)>& studyOf,
                            const ChartColors& colors)
{
    LearningMarks marks;
    bool isPending = false;
    QStringList reasons;
    for (const OutcomeRow& row : rows) {
        if (!row.isTicked && !row.isProposed)
            continue;
        const StudyReader::Found found = studyOf(row.candidate.choice);
        isPending = isPending || found.isPending;
        const QString label = QString::fromStdString(row.candidate.label);
        if (!found.study || !found.study->problem.empty()) {
            const QString reason =
                found.study ? QString::fromStdString(found.study->problem) : found.problem;
            if (!reason.isEmpty())
                reasons += tr("%1: %2").arg(label, reason);
            continue;
        }
        const SampleStudy& study = *found.study;
        const SeriesStyle style = candidateStyle(row.candidate.id, colors);
        LearningMark mark{.label = label,
                          .color = style.color,
                          .style = style.pen,
                          .points = {},
                          .converged = study.convergedWithin1,
                          .emphasised = row.isProposed,
                          .isWidth = study.choice.scheme.isAffine()};
        if (marks.answer.isEmpty() || row.isProposed)
            marks.answer = tr("%1: %2").arg(label, studyAnswer(study));
        for (const CurvePoint& point : study.curve) {
            LearningPoint drawn{.units = point.units,
                                .threshold = point.threshold,
                                .low = std::nullopt,
                                .high = std::nullopt};
            if (point.thresholdBand) {
                drawn.low = point.thresholdBand->low;
                drawn.high = point.thresholdBand->high;
            }
            mark.points.push_back(drawn);
        }
        if (!mark.points.empty() && !mark.points.back().low && study.thresholdBand) {
            mark.points.back().low = study.thresholdBand->low;
            mark.points.back().high = study.thresholdBand->high;
        }
        marks.unit = study.unit == SampleUnit::Batch ? tr("batches") : tr("samples");
        marks.curves.push_back(std::move(mark));
    }
    if (!isPending)
        marks.reason = reasons.join(u'\n');
    return marks;
}

QString resultText(const OutcomeRow& row)
{
    if (!row.outcome)
        return {};
    if (!row.hasResult())
        return QString::fromStdString(row.outcome->problem);
    const ScaleRow& whole = row.outcome->whole;
    const QString sign = whole.hasExactMetrics && !row.isEstimate ? QString() : QStringLiteral("≈");
    QStringList parts;
    if (const auto share = whole.metric("clipped_share"))
        parts += tr("clipped %1%2 %").arg(sign, valueLabel(100.0 * *share, 3));
    if (const auto db = whole.metric("sqnr_db"))
        parts += tr("SQNR %1%2 dB").arg(sign, fixedLabel(*db, 2) + sqnrBarText(whole));
    if (const auto mse = whole.metric("mse"))
        parts += tr("MSE %1%2").arg(sign, valueLabel(*mse, 3));
    return parts.join(QStringLiteral("   "));
}

}  // namespace calibscope
