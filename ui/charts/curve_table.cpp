#include "ui/charts/curve_table.h"

#include <QCoreApplication>

#include <limits>
#include <map>

namespace calibscope {

PlotTable curveTable(std::span<const CurveMark> curves, const Range& shown)
{
    std::map<double, std::vector<double>> rows;
    const std::vector<double> blank(curves.size(), std::numeric_limits<double>::quiet_NaN());
    for (std::size_t curve = 0; curve < curves.size(); ++curve) {
        const Curve& points = curves[curve].curve;
        for (std::size_t point = 0; point < points.value.size(); ++point)
            if (shown.contains(points.threshold[point]))
                rows.try_emplace(points.threshold[point], blank).first->second[curve] =
                    points.value[point];
    }
    std::vector<double> thresholds;
    std::vector<std::vector<double>> columns(curves.size());
    for (const auto& [threshold, values] : rows) {
        thresholds.push_back(threshold);
        for (std::size_t curve = 0; curve < curves.size(); ++curve)
            columns[curve].push_back(values[curve]);
    }
    PlotTable table{
        {{QCoreApplication::translate("CurveContent", "threshold"), std::move(thresholds)}}};
    for (std::size_t curve = 0; curve < curves.size(); ++curve)
        table.columns.push_back({curves[curve].label + QStringLiteral(": ") +
                                     QString::fromStdString(curves[curve].curve.objective),
                                 std::move(columns[curve])});
    return table;
}

}  // namespace calibscope
