#pragma once

#include "core/metrics/metric.h"
#include "core/recipes/outcome.h"

#include <QString>

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace calibscope {

/// A number of an outcome, as tables show it.
struct ResultColumn
{
    std::string id;   ///< as in the CSV
    QString title;    ///< short, with the unit
    QString toolTip;  ///< one sentence
    Metric::Better better = Metric::Better::Neither;
    bool isMetric = false;  ///< estimated where the metrics are
    std::function<std::optional<double>(const ScaleRow&)> value;
    std::function<QString(double)> text;
};

/// Ends, threshold, scale and zero point, then all metrics, from their descriptors.
[[nodiscard]] const std::vector<ResultColumn>& resultColumns();
/// The column of that id. Throws std::invalid_argument if there is none.
[[nodiscard]] const ResultColumn& resultColumn(std::string_view id);

/// "29.75", "≈ 29.75" where it is estimated; empty without a value.
[[nodiscard]] QString resultText(const ResultColumn& column, const ScaleRow& row);
/// "+0.83": a value less another one.
[[nodiscard]] QString differenceText(const ResultColumn& column, double value, double baseline);

}  // namespace calibscope
