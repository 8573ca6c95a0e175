// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/steps_model.h"

#include "ui/models/outcome_text.h"
#include "ui/models/result_columns.h"
#include "ui/plot/number_label.h"
#include "ui/theme/translate.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace calibscope {

namespace {

QString thresholdText(const ScaleRow& whole)
{
    if (whole.clip.threshold)
        return valueLabel(*whole.clip.threshold);
    return whole.clip.range ? tr("%1 … %2").arg(valueLabel(whole.clip.range->low),
                                                valueLabel(whole.clip.range->high))
                            : QStringLiteral("–");
}

QString stepScaleText(const ScaleRow& whole)
{
    return (whole.isExact ? QString() : QStringLiteral("≈")) + valueLabel(whole.quantizer.scale, 4);
}

QString sqnrText(const ScaleRow& whole)
{
    const std::optional<double> db = whole.metric("sqnr_db");
    if (!db)
        return QStringLiteral("–");
    return (whole.hasExactMetrics ? QString() : QStringLiteral("≈")) +
           (std::isinf(*db) ? valueLabel(*db) : fixedLabel(*db, 2)) + sqnrBarText(whole);
}

QString scaleChangeText(const StepRow& row)
{
    return row.isFirst               ? QString()
           : !row.scaleChange        ? QStringLiteral("–")
           : *row.scaleChange == 1.0 ? tr("same")
                                     : QStringLiteral("×") + valueLabel(*row.scaleChange);
}

QString sqnrChangeText(const StepRow& row)
{
    if (row.isFirst || !row.sqnrChange)
        return row.isFirst ? QString() : QStringLiteral("–");
    return *row.sqnrChange == 0.0 ? tr("same")
                                  : (*row.sqnrChange > 0.0 ? QStringLiteral("+") : QString()) +
                                        fixedLabel(*row.sqnrChange, 2);
}

/// The text of a result, once there is one.
TableColumn<StepRow>::Text ofResult(std::function<QString(const StepRow&)> text,
                                    const QString& failed = QStringLiteral("–"))
{
    return [text = std::move(text), failed](const StepRow& row) {
        return !row.row.outcome ? QStringLiteral("…") : !row.row.hasResult() ? failed : text(row);
    };
}

QString stepToolTip(const StepRow& row)
{
    const Choice& choice = row.row.step.choice;
    const OutcomeRow notes{.candidate = {.choice = choice, .label = {}, .recipes = {}},
                           .outcome = row.row.outcome};
    return (settingLines(choice) + noteLines(notes)).join(u'\n');
}

QVariant roleOf(const StepRow& row, int role)
{
    const auto known = [](const std::optional<double>& number) {
        return number ? QVariant(*number) : QVariant();
    };
    switch (role) {
    case StepFromRole: return known(row.from);
    case StepToRole: return known(row.to);
    case StepLeastRole: return known(row.least);
    case StepMostRole: return known(row.most);
    default: return {};
    }
}

std::optional<double> finiteSqnr(const ExplainRow& row)
{
    const std::optional<double> db =
        row.hasResult() ? row.outcome->whole.metric("sqnr_db") : std::nullopt;
    return db && std::isfinite(*db) ? db : std::nullopt;
}

/// How far apart two scales are, whichever is the larger.
double distance(const std::optional<double>& ratio)
{
    return ratio ? std::abs(std::log(*ratio)) : 0.0;
}

}  // namespace

std::vector<StepRow> stepRows(const std::vector<ExplainRow>& rows)
{
    std::vector<StepRow> steps;
    std::optional<double> least;
    std::optional<double> most;
    double largest = 0.0;
    for (const ExplainRow& row : rows) {
        StepRow step{.row = row, .isFirst = steps.empty(), .to = finiteSqnr(row)};
        if (!steps.empty()) {
            step.scaleChange = scaleChange(row, steps.back().row);
            step.sqnrChange = sqnrChange(row, steps.back().row);
            step.from = steps.back().to;
        }
        if (step.to) {
            least = std::min(least.value_or(*step.to), *step.to);
            most = std::max(most.value_or(*step.to), *step.to);
        }
        largest = std::max(largest, distance(step.scaleChange));
        steps.push_back(std::move(step));
    }
    constexpr double leastSpan = 1.0;  // dB; less would draw what rounds to nothing as a wide bar
    if (const double lacking = leastSpan - (most.value_or(0.0) - least.value_or(0.0));
        least && lacking > 0.0) {
        *least -= lacking / 2.0;
        *most += lacking / 2.0;
    }
    for (StepRow& step : steps) {
        step.isDecisive = largest > 0.0 && distance(step.scaleChange) == largest;
        step.least = least;
        step.most = most;
    }
    return steps;
}

TableDescriptor<StepRow> stepsTable()
{
    using Row = StepRow;
    TableDescriptor<Row> table{
        .columns = {},
        .toolTip = stepToolTip,
        .grade = [](const Row& row) { return row.isDecisive ? Grade::Bold : Grade::Plain; },
        .roles = roleOf};
    table.add(tr("step"), tr("Differences from the row above"),
              [](const Row& row) { return QString::fromStdString(row.row.step.name); });
    table.add(tr("SQNR from step to step, dB"),
              tr("SQNR before and after the step, on one axis for all rows"),
              [](const Row&) { return QString(); });
    const auto whole = [](QString (*text)(const ScaleRow&)) {
        return [text](const Row& row) { return text(row.row.outcome->whole); };
    };
    table.addRight(tr("threshold"), tr("Largest magnitude that is not clipped"),
                   ofResult(whole(thresholdText), tr("failed")));
    table.addRight(tr("scale"), tr("Step between adjacent integers"),
                   ofResult(whole(stepScaleText)));
    table.addRight(tr("Δ scale"), tr("Scale relative to the row above"), ofResult(scaleChangeText));
    table.addRight(tr("SQNR dB"), tr("Signal to quantization noise"), ofResult(whole(sqnrText)));
    table.addRight(tr("Δ SQNR dB"), tr("Change of SQNR from the row above"),
                   ofResult(sqnrChangeText));
    return table;
}

}  // namespace calibscope
