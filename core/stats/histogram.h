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
    auto operator<=>(const HistogramSpec&) const = default;
};

/// "1024 bins of |x|, double": as shown and as in the CSV's column `histogram`.
[[nodiscard]] std::string histogramText(const HistogramSpec& spec);

/// Equal bins with 64-bit counts. Bin k covers [low + k width, low + (k+1) width), the last bin its
/// upper edge too.
struct Histogram
{
    HistogramSpec spec;
    double low = 0.0;
    double high = 0.0;  ///< equal to low while only one value (or nothing, or only zeros) was seen
    std::vector<std::uint64_t> counts;
    std::vector<std::string> notes;  ///< what happened while it grew, as sentences

    [[nodiscard]] double width() const { return (high - low) / static_cast<double>(counts.size()); }
    [[nodiscard]] double edge(std::size_t bin) const
    {
        return low + static_cast<double>(bin) * width();
    }
    [[nodiscard]] double centre(std::size_t bin) const
    {
        return low + (static_cast<double>(bin) + 0.5) * width();
    }
    [[nodiscard]] Range range() const { return {low, high}; }
    [[nodiscard]] std::uint64_t total() const;

    /// Bin of a finite value (of its magnitude in the magnitude domain); values outside fall into
    /// the end bins.
    [[nodiscard]] std::size_t binOf(double value) const;
    /// Counts the finite values; the caller has grown the histogram to hold them.
    void add(std::span<const float> values);
    bool operator==(const Histogram&) const = default;
};

}  // namespace calibscope
