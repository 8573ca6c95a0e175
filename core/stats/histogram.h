// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/range.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace calibscope {

enum class Domain {
    Magnitude,  ///< of |x|
    Signed,     ///< of x
};

[[nodiscard]] std::string_view domainText(Domain domain);

/// Which histogram of a tensor is meant. Two equal specs of one tensor are one histogram.
struct HistogramSpec
{
    std::string growth = "fixed";  ///< id of a growth rule (growth_rule.h)
    int bins = 2048;               ///< at the start; a rule may grow them
    Domain domain = Domain::Magnitude;

    bool operator==(const HistogramSpec&) const = default;
    // NOLINTNEXTLINE(modernize-use-nullptr): the 0 is the compiler's
    auto operator<=>(const HistogramSpec&) const = default;
};

/// "1024 bins of |x|, double": as shown and as in the CSV's column `histogram`.
[[nodiscard]] std::string histogramText(const HistogramSpec& spec);

/// How a value finds its bin. A value equal to the upper end belongs to the last bin in all.
enum class Binning {
    Share,        ///< its share of the range, in double; values outside fall into the end bins
    SingleShare,  ///< its share of the range, each step rounded to float32 (torch.histc); values
                  ///< outside are left out
    Edges,        ///< edge(k) <= value < edge(k + 1) (numpy.histogram); values outside are left out
};

/// Bins with 64-bit counts. Bin k covers [edge(k), edge(k+1)), the last bin its upper edge too.
/// Bins are equal; where a tool rounds the edges, `edges` holds them as it has them.
struct Histogram
{
    HistogramSpec spec;
    double low = 0.0;
    double high = 0.0;  ///< equal to low while only one value (or nothing, or only zeros) was seen
    std::vector<std::uint64_t> counts;
    std::vector<std::string> notes;  ///< what happened while it grew, as sentences
    std::vector<double> edges = {};  ///< empty: equal bins; else ascending, at least one more than
                                     ///< bins, the first is `low`, which may be rounded in it
    Binning binning = Binning::Share;
    std::uint64_t leftOut = 0;  ///< finite values outside the range that were not counted

    [[nodiscard]] double width() const { return (high - low) / static_cast<double>(counts.size()); }
    [[nodiscard]] double edge(std::size_t bin) const
    {
        return edges.empty() ? low + static_cast<double>(bin) * width() : edges[bin];
    }
    [[nodiscard]] double centre(std::size_t bin) const
    {
        return edges.empty() ? low + (static_cast<double>(bin) + 0.5) * width()
                             : (edges[bin] + edges[bin + 1]) / 2.0;
    }
    /// The value that many bins above `low`: 0 is `low`, the number of bins `high`; beyond both by
    /// the width. Both ends are exact.
    [[nodiscard]] double at(double bins) const;
    [[nodiscard]] Range range() const { return {low, high}; }
    [[nodiscard]] std::uint64_t total() const;

    /// Bin of a finite value (of its magnitude in the magnitude domain); values outside fall into
    /// the end bins.
    [[nodiscard]] std::size_t binOf(double value) const;
    /// Counts the finite values; the caller has grown the histogram to hold them.
    void add(std::span<const float> values);
    bool operator==(const Histogram&) const = default;
};

/// The histogram's notes, and one that tells how many values it left out.
[[nodiscard]] std::vector<std::string> notesOf(const Histogram& histogram);

}  // namespace calibscope
