// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/samples/arrangement.h"
#include "core/stats/extents.h"
#include "core/stats/histogram.h"

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace calibscope::samples {

/// Extents of an arrangement, of each of its batches and of all.
struct ArrangedExtents
{
    std::vector<Extents> batches;
    Extents whole;

    ArrangedExtents(const Arrangement& arrangement, std::span<const Extents> units);
};

/// The histogram of an arrangement, whose units `add(batch, unit, histogram)` counts.
[[nodiscard]] Histogram
replayedHistogram(const HistogramSpec& spec, const Arrangement& arrangement,
                  const ArrangedExtents& extents,
                  const std::function<void(std::size_t, std::uint32_t, Histogram&)>& add);

/// Histograms of arrangements, equal to those that a pass over their values would count. How a rule
/// grows is known from the extents alone; so is which unit has to be counted in which bins. Each
/// unit is counted in the same bins once, however many arrangements need it.
class GrowthCounts
{
public:
    explicit GrowthCounts(std::span<const Extents> units) : m_units(units) {}

    /// Which bins each batch of an arrangement is counted in.
    using Plan = std::vector<std::size_t>;
    /// Nothing where the counts of all that is planned would take more than `mostBytes`. Requires
    /// that nothing was counted since the last clear().
    [[nodiscard]] std::optional<Plan> plan(const HistogramSpec& spec,
                                           const Arrangement& arrangement,
                                           const ArrangedExtents& extents, std::uint64_t mostBytes);
    /// Bytes that the counts of what was planned take at most.
    [[nodiscard]] std::uint64_t bytes() const { return m_bytes; }
    [[nodiscard]] bool isEmpty() const { return m_counts.empty(); }

    /// Counts values wherever their unit was planned; one unit after another, in order.
    void add(std::size_t unit, std::span<const float> values);
    /// To be called when all values were added.
    void finish();
    /// The histogram of a planned arrangement. May be called by several threads.
    [[nodiscard]] Histogram histogram(const HistogramSpec& spec, const Arrangement& arrangement,
                                      const ArrangedExtents& extents, const Plan& plan) const;
    void clear();

private:
    /// The bins between two batches, without their counts.
    struct Bins
    {
        Domain domain = Domain::Magnitude;
        Binning binning = Binning::Share;
        double low = 0.0;
        double high = 0.0;
        std::size_t count = 0;
        std::vector<double> edges;

        // NOLINTNEXTLINE(modernize-use-nullptr): the 0 is the compiler's
        auto operator<=>(const Bins&) const = default;
    };
    /// A unit's counts from its first bin that is not empty to its last.
    struct Counted
    {
        std::size_t first = 0;
        std::vector<std::uint32_t> counts;
        std::uint64_t leftOut = 0;
    };
    struct Open
    {
        Counted* counted;
        Histogram histogram;
    };

    static Bins binsOf(const Histogram& histogram);
    [[nodiscard]] std::size_t indexOf(const Histogram& histogram);
    void addTo(Histogram& histogram, std::uint32_t unit, std::size_t bins) const;

    std::span<const Extents> m_units;
    std::map<Bins, std::size_t> m_indices;
    std::vector<const Bins*> m_bins;  ///< by index: keys of the map
    /// By unit and index of the bins.
    std::map<std::pair<std::uint32_t, std::size_t>, Counted> m_counts;
    std::vector<Open> m_open;  ///< of the unit that is being added
    std::optional<std::size_t> m_unit;
    std::uint64_t m_bytes = 0;
};

}  // namespace calibscope::samples
