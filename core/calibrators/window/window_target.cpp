// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/calibrators/window/window_target.h"

#include "core/calibrators/entropy/rescaled_counts.h"
#include "core/calibrators/odd_data.h"

#include <algorithm>
#include <cmath>

namespace calibscope {

HistogramSpec windowSpec(const Settings& settings)
{
    return {.growth = settings.text("growth"),
            .bins = settings.integer("bins"),
            .domain = Domain::Signed};
}

ClipChoice wholeRange(const Scheme& scheme, const Extents& extents)
{
    const Range ends{std::min(extents.min, 0.0), std::max(extents.max, 0.0)};
    if (scheme.isAffine())
        return {.range = ends};
    return {.threshold = thresholdOver(scheme, ends)};
}

double WindowTarget::edge(std::size_t bin) const
{
    if (inFloat32) {
        const float low = static_cast<float>(range.low);
        const float width =
            (static_cast<float>(range.high) - low) / static_cast<float>(counts.size());
        return static_cast<double>(low + static_cast<float>(bin) * width);
    }
    const double share = static_cast<double>(bin) / static_cast<double>(counts.size());
    return bin == counts.size() ? range.high : range.low + share * range.width();
}

bool WindowTarget::canBeSearched() const
{
    return edge(1) > range.low && std::isfinite(edge(1)) && std::isfinite(range.width());
}

Range WindowTarget::evenedOut(const Range& ends) const
{
    if (!(range.low < 0.0))
        return {0.0, ends.high};
    const double below = ends.low / range.low;
    const double above = ends.high / range.high;
    Range even = ends;
    if (below > above)
        even.high = below * range.high;
    else
        even.low = above * range.low;
    return inFloat32 ? Range{nearestFloat32(even.low), nearestFloat32(even.high)} : even;
}

double WindowTarget::threshold(const Window& window, bool isSymmetric) const
{
    return isSymmetric ? evenedOut(ends(window)).high : ends(window).width() / 2;
}

WindowTarget windowTarget(const CalibratorInput& input, const Histogram& histogram,
                          const ClipChoice& whole)
{
    const bool inFloat32 = input.scheme.arithmetic != Arithmetic::Double;
    WindowTarget target{.range = makeQuantizer(input.scheme, whole).quantizer.clip,
                        .counts = {},
                        .inFloat32 = inFloat32};
    const auto most = static_cast<std::size_t>(input.settings.integer("bins"));
    target.counts.resize(std::min(histogram.counts.size(), most));
    if (target.canBeSearched())
        target.counts = rescaledCounts(histogram.counts, histogram.range(), target.range,
                                       target.counts.size(), inFloat32);
    return target;
}

WindowRule windowRule(const CalibratorInput& input, const WindowTarget& target)
{
    const Settings& settings = input.settings;
    const int levels =
        settings.is("levels", "2^b-1") ? (1 << input.scheme.bits) - 1 : settings.integer("levels");
    const double bins = static_cast<double>(target.counts.size());
    return {.levels = static_cast<std::size_t>(levels),
            .splitsBins = settings.is("merge", "fractional"),
            .takesEmpty = settings.is("empty-window", "chosen"),
            .shrinksBothEnds = !input.scheme.isAffine() && !input.scheme.isUnsigned(),
            .zeroMayLeave = settings.is("zero-may-leave", "yes"),
            .zeroPlace = -target.range.low / target.range.width() * bins,
            .sumsInFloat32 = target.inFloat32};
}

std::string reasonToKeepAll(const Extents& extents, const WindowTarget& target,
                            const WindowRule& rule)
{
    if (extents.min == extents.max)
        return "constant data: the whole range is kept";
    if (!target.canBeSearched())
        return "the bins are too narrow or too wide for the arithmetic: the whole range is kept";
    if (target.counts.size() < rule.levels)
        return "fewer bins than levels: the whole range is kept";
    return {};
}

}  // namespace calibscope
