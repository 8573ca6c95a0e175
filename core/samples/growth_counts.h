#pragma once

#include "core/samples/arrangement.h"
#include "core/stats/extents.h"
#include "core/stats/histogram.h"

#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
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

/// Histograms of arrangements, equal to those that a pass over their values would count. How a rule
/// grows is known from the extents alone; so is which unit has to be counted in which bins. Each
/// unit is counted in the same bins once, however many arrangements need it.
class GrowthCounts
{
public:
    explicit GrowthCounts(std::span<const Extents> units) : m_units(units) {}

    /// Which bins each batch of an arrangement is counted in.
    using Plan = std::vector<std::size_t>;
    /// Requires that nothing was counted since the last clear().
    [[nodiscard]] Plan plan(const HistogramSpec& spec, const Arrangement& arrangement,
                            const ArrangedExtents& extents);
    /// Bytes that the counts of what was planned take at most.
    [[nodiscard]] std::uint64_t bytes() const { return m_bytes; }
    [[nodiscard]] bool isEmpty() const { return m_counts.empty(); }

    /// Counts some values of a unit wherever it was planned.
    void add(std::size_t unit, std::span<const float> values);
    /// The histogram of a planned arrangement. Requires that all values were added. May be called
    /// by several threads.
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

        auto operator<=>(const Bins&) const = default;
    };
    static Bins binsOf(const Histogram& histogram);
    [[nodiscard]] std::size_t indexOf(const Histogram& histogram);

    std::span<const Extents> m_units;
    std::map<Bins, std::size_t> m_indices;
    std::vector<const Bins*> m_bins;  ///< by index: keys of the map
    /// By unit and index of the bins.
    std::map<std::pair<std::uint32_t, std::size_t>, Histogram> m_counts;
    std::uint64_t m_bytes = 0;
};

}  // namespace calibscope::samples
