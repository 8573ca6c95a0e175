// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/stats/extents.h"
#include "core/stats/histogram.h"

#include <cstddef>
#include <vector>

namespace calibscope {

/// How a bin's count lies inside the bin.
enum class Density {
    Uniform,  ///< evenly between both edges
    Centre,   ///< all at the centre
};

/// Count, sum and sum of squares of some mass.
struct MassSums
{
    double count = 0.0;
    double sum = 0.0;
    double squares = 0.0;

    MassSums& operator+=(const MassSums& other);
    friend MassSums operator-(MassSums left, const MassSums& right);

    /// Sum of (x - value)^2 over the mass; not below 0.
    [[nodiscard]] double squaredDistance(double value) const;
};

/// A count at one value.
struct PointMass
{
    double value = 0.0;
    double count = 0.0;
};

/// The values that are known exactly beside a histogram: zeros, least and greatest value (of |x| in
/// the magnitude domain), each with how many there are. The bins would spread them.
[[nodiscard]] std::vector<PointMass> knownPoints(const Extents& extents, Domain domain);

/// A histogram as a distribution of mass. Its sums below any value cost one look-up.
class HistogramMass
{
public:
    /// The points are taken out of the bins that hold them, as far as these have counts.
    HistogramMass(const Histogram& histogram, Density density,
                  const std::vector<PointMass>& points = {});

    /// Sums of the bins' mass below x; what lies at x itself (density at the centre) is not in.
    [[nodiscard]] MassSums below(double x) const;
    /// Sums of the bins before that one.
    [[nodiscard]] const MassSums& before(std::size_t bin) const { return m_below[bin]; }
    /// Sums of all the bins' mass.
    [[nodiscard]] const MassSums& ofBins() const { return m_below.back(); }
    [[nodiscard]] const std::vector<PointMass>& points() const { return m_points; }
    /// Bins and points.
    [[nodiscard]] double count() const;

    /// Whether the histogram divides its range equally: its edges are not a tool's.
    [[nodiscard]] bool hasEqualBins() const { return m_hasEqualBins; }
    [[nodiscard]] Density density() const { return m_density; }
    [[nodiscard]] std::size_t bins() const { return m_counts.size(); }
    [[nodiscard]] double binCount(std::size_t bin) const { return m_counts[bin]; }
    [[nodiscard]] double edge(std::size_t bin) const { return m_edges[bin]; }
    [[nodiscard]] double centre(std::size_t bin) const { return m_centres[bin]; }

private:
    [[nodiscard]] std::size_t binsBelow(const std::vector<double>& places, double x) const;

    Density m_density;
    bool m_hasEqualBins;
    std::vector<double> m_counts;
    std::vector<double> m_edges;    ///< one more than bins
    std::vector<double> m_centres;  ///< float32 where the histogram's edges are a tool's
    std::vector<MassSums> m_below;  ///< of the bins before each, one more than bins
    std::vector<PointMass> m_points;
};

}  // namespace calibscope
