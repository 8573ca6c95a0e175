#include "core/stats/histogram.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace calibscope {

std::string_view domainText(Domain domain)
{
    switch (domain) {
    case Domain::Magnitude: return "magnitude";
    case Domain::Signed: return "signed";
    }
    return "magnitude";
}

std::string histogramText(const HistogramSpec& spec)
{
    return std::to_string(spec.bins) + " bins of " +
           (spec.domain == Domain::Magnitude ? "|x|" : "x") + ", " + spec.growth;
}

std::uint64_t Histogram::total() const
{
    return std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
}

std::size_t Histogram::binOf(double value) const
{
    const double x = spec.domain == Domain::Magnitude ? std::abs(value) : value;
    if (!(high > low) || x <= low || counts.empty())
        return 0;
    const double position = (x - low) / width();
    // Also reached where x equals the upper edge: it belongs to the last bin and opens none of its
    // own.
    if (position >= static_cast<double>(counts.size()))
        return counts.size() - 1;
    return static_cast<std::size_t>(position);
}

void Histogram::add(std::span<const float> values)
{
    if (counts.empty())
        return;
    const double binWidth = width();
    const double bins = static_cast<double>(counts.size());
    const bool isMagnitude = spec.domain == Domain::Magnitude;
    for (const float value : values) {
        if (!std::isfinite(value))
            continue;
        const double x = static_cast<double>(isMagnitude ? std::abs(value) : value);
        const double position = binWidth > 0.0 ? std::max((x - low) / binWidth, 0.0) : 0.0;
        ++counts[position < bins ? static_cast<std::size_t>(position) : counts.size() - 1];
    }
}

}  // namespace calibscope
