#include "core/stats/suspicions.h"

#include "core/base/number_text.h"

#include <algorithm>

namespace calibscope {

namespace {

constexpr std::uint64_t leastValues = 1000;
constexpr std::uint64_t mostOutliers = 64;
constexpr double gap = 1 << 20;  // outliers of models are some thousand times larger than the rest

}  // namespace

std::vector<std::string> suspicions(const TensorProfile& profile)
{
    const MagnitudeSketch& sketch = profile.sketch;
    const std::uint64_t values = sketch.count() - std::min(sketch.zeros, sketch.count());
    if (profile.info.holdsIntegers() || values < leastValues)
        return {};
    const std::vector<SketchBin> bins = sketch.magnitudes();
    std::uint64_t above = 0;
    for (std::size_t bin = bins.size(); bin-- > 1;) {
        above += bins[bin].count;
        if (above > std::min(mostOutliers, values / leastValues))
            return {};
        const bool areEqual = above > 1 && bin + 1 == bins.size();
        if (!areEqual && bins[bin].lowEdge() >= gap * bins[bin - 1].highEdge())
            return {numberText(above) + " of its values are more than " + numberText(gap) +
                    " times as large as all others: check whether the file is damaged"};
    }
    return {};
}

}  // namespace calibscope
