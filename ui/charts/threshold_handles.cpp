#include "ui/charts/threshold_handles.h"

#include "ui/charts/threshold_layer.h"
#include "ui/theme/translate.h"

#include <algorithm>
#include <cmath>

namespace calibscope {

namespace {

const QString lowSuffix = QStringLiteral("/low");
const QString highSuffix = QStringLiteral("/high");

}  // namespace

QString handleId(const MovedEnd& end)
{
    return end.label + (end.isLow ? lowSuffix : highSuffix);
}

std::optional<MovedEnd> movedEnd(const QString& handleId)
{
    if (handleId.endsWith(lowSuffix))
        return MovedEnd{handleId.chopped(lowSuffix.size()), true};
    if (handleId.endsWith(highSuffix))
        return MovedEnd{handleId.chopped(highSuffix.size()), false};
    return std::nullopt;
}

std::vector<PlotHandle> thresholdHandles(std::span<const ThresholdMark> marks,
                                         const Histogram& histogram)
{
    const double farthest = 1.25 * std::max(std::abs(histogram.low), std::abs(histogram.high));
    const double step = histogram.width();
    std::vector<PlotHandle> handles;
    for (const ThresholdMark& mark : marks)
        for (const double place : markPlaces(mark, histogram.spec.domain)) {
            const bool isLow = place < 0.0;
            // Beyond the data stays where it is until it is moved.
            const double outer = std::max(farthest, std::abs(place));
            handles.push_back(
                {.id = handleId({mark.label, isLow}),
                 .label = (isLow ? tr("lower threshold of %1") : tr("upper threshold of %1"))
                              .arg(mark.label),
                 .value = place,
                 .allowed = isLow ? Range{-outer, -step} : Range{step, outer},
                 .step = step,
                 .color = mark.color});
        }
    std::ranges::stable_sort(handles, {}, &PlotHandle::value);
    return handles;
}

}  // namespace calibscope
