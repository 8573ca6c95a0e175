// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/calibrators/entropy/rescaled_counts.h"

#include <algorithm>
#include <cmath>

namespace calibscope {

namespace {

template <typename Real>
struct Bins
{
    Real low;
    Real width;
    std::size_t count;

    Bins(const Range& range, std::size_t bins)
        : low(static_cast<Real>(range.low)),
          width((static_cast<Real>(range.high) - low) / static_cast<Real>(bins)),
          count(bins)
    {}

    [[nodiscard]] Real edge(std::size_t bin) const { return low + static_cast<Real>(bin) * width; }
    /// A position in bins as an index; what lies outside counts as in the end bins.
    [[nodiscard]] std::size_t index(Real place) const
    {
        const Real last = static_cast<Real>(count - 1);
        return static_cast<std::size_t>(std::clamp(place, Real{0}, last));
    }
    [[nodiscard]] Real place(Real value) const { return (value - low) / width; }
};

/// Share of the source bin [begin, end) that lies in that bin.
template <typename Real>
Real overlap(const Bins<Real>& bins, std::size_t bin, Real begin, Real end, Real width)
{
    const Real low = std::max(begin, bins.edge(bin));
    const Real high = std::min(end, bins.edge(bin + 1));
    return std::clamp((high - low) / width, Real{0}, Real{1});
}

template <typename Real>
std::vector<std::uint64_t> rescaled(std::span<const std::uint64_t> counts, const Range& from,
                                    const Range& to, std::size_t bins)
{
    const Bins<Real> source(from, counts.size());
    const Bins<Real> target(to, bins);
    std::vector<std::uint64_t> moved(bins);
    for (std::size_t bin = 0; bin < counts.size(); ++bin) {
        const Real begin = source.edge(bin);
        const Real end = source.edge(bin + 1);
        const std::size_t first = target.index(std::floor(target.place(begin)));
        // A source bin that ends on an edge does not reach the bin behind it.
        const std::size_t last =
            std::max(first, target.index(std::ceil(target.place(end)) - Real{1}));
        std::uint64_t left = counts[bin];
        for (std::size_t place = first; place <= last && source.width > Real{0}; ++place) {
            const Real share = overlap(target, place, begin, end, source.width);
            const Real rounded = std::round(share * static_cast<Real>(counts[bin]));
            const std::uint64_t given = std::min(static_cast<std::uint64_t>(rounded), left);
            moved[place] += given;
            left -= given;
        }
        moved[source.width > Real{0} ? last : first] += left;
    }
    return moved;
}

}  // namespace

std::vector<std::uint64_t> rescaledCounts(std::span<const std::uint64_t> counts, const Range& from,
                                          const Range& to, std::size_t bins, bool inFloat32)
{
    if (from == to && counts.size() == bins)
        return {counts.begin(), counts.end()};
    return inFloat32 ? rescaled<float>(counts, from, to, bins)
                     : rescaled<double>(counts, from, to, bins);
}

}  // namespace calibscope
