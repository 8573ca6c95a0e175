#include "ui/models/result_columns.h"

#include "ui/plot/number_label.h"
#include "ui/theme/translate.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <stdexcept>

namespace calibscope {

namespace {

QString fromUtf8(std::string_view text)
{
    return QString::fromUtf8(text.data(), std::ssize(text));
}

bool hasRange(const ScaleRow& row)
{
    return row.clip.threshold || row.clip.range;
}

std::vector<ResultColumn> limitColumns()
{
    const auto label = [](double value) { return valueLabel(value); };
    return {{.id = "threshold",
             .title = tr("threshold"),
             .toolTip = tr("Largest magnitude that is not clipped; of the widest channel where "
                           "there is a scale per channel"),
             .value = [](const ScaleRow& row) { return row.clip.threshold; },
             .text = label},
            {.id = "low",
             .title = tr("low"),
             .toolTip = tr("Low end of the clip range"),
             .value =
                 [](const ScaleRow& row) {
                     return hasRange(row) ? std::optional(row.quantizer.clip.low) : std::nullopt;
                 },
             .text = label},
            {.id = "high",
             .title = tr("high"),
             .toolTip = tr("High end of the clip range"),
             .value =
                 [](const ScaleRow& row) {
                     return hasRange(row) ? std::optional(row.quantizer.clip.high) : std::nullopt;
                 },
             .text = label},
            {.id = "scale",
             .title = tr("scale"),
             .toolTip = tr("Step between adjacent integers"),
             .value = [](const ScaleRow& row) { return std::optional(row.quantizer.scale); },
             .text = label},
            {.id = "zero_point",
             .title = tr("zero point"),
             .toolTip = tr("The integer that 0 becomes"),
             .value = [](const ScaleRow& row) { return std::optional(row.quantizer.zeroPoint); },
             .text = label}};
}

/// Shares as percent, decibels with two decimals, a cosine with the digits that make a difference.
ResultColumn metricColumn(const Metric& metric)
{
    const bool isShare = metric.id == "clipped_share";
    const bool isDecibel = metric.unit == "dB";
    const int digits = metric.id == "cosine" ? 6 : 4;
    const std::string_view unit = isShare ? "%" : metric.unit;
    ResultColumn column{.id = std::string(metric.id),
                        .title = fromUtf8(metric.title),
                        .toolTip = fromUtf8(metric.summary),
                        .better = metric.better,
                        .isMetric = true};
    if (!unit.empty() && metric.id != "levels_used")
        column.title += u' ' + fromUtf8(unit);
    column.value = [id = metric.id, isShare](const ScaleRow& row) {
        const std::optional<double> value = row.metric(id);
        return value && isShare ? std::optional(100.0 * *value) : value;
    };
    column.text = [isDecibel, digits](double value) {
        return isDecibel && std::isfinite(value) ? fixedLabel(value, 2) : valueLabel(value, digits);
    };
    return column;
}

std::vector<ResultColumn> allColumns()
{
    std::vector<ResultColumn> columns = limitColumns();
    for (const Metric& metric : metrics())
        columns.push_back(metricColumn(metric));
    return columns;
}

bool isExact(const ResultColumn& column, const ScaleRow& row)
{
    return column.isMetric ? row.hasExactMetrics : row.isExact;
}

}  // namespace

const std::vector<ResultColumn>& resultColumns()
{
    static const std::vector<ResultColumn> columns = allColumns();
    return columns;
}

const ResultColumn& resultColumn(std::string_view id)
{
    const auto found = std::ranges::find(resultColumns(), id, &ResultColumn::id);
    if (found == resultColumns().end())
        throw std::invalid_argument("there is no result " + std::string(id));
    return *found;
}

QString resultText(const ResultColumn& column, const ScaleRow& row)
{
    const std::optional<double> value = column.value(row);
    if (!value)
        return {};
    return (isExact(column, row) ? QString() : QStringLiteral("≈ ")) + column.text(*value);
}

QString differenceText(const ResultColumn& column, double value, double baseline)
{
    if (value == baseline)
        return QStringLiteral("0");  // two infinities are alike, too
    const double difference = value - baseline;
    const QString sign = difference > 0.0 ? QStringLiteral("+") : QString();
    return std::isnan(difference) ? QStringLiteral("–") : sign + column.text(difference);
}

}  // namespace calibscope
