// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/calibrators/histogram/histogram_mass.h"

#include <algorithm>
#include <cmath>

namespace calibscope {

namespace {

/// Tools that keep edges in float32 compute centres in float32 too.
double centreOf(const Histogram& histogram, std::size_t bin)
{
    if (histogram.edges.empty())
        return histogram.centre(bin);
    const float low = static_cast<float>(histogram.edges[bin]);
    const float high = static_cast<float>(histogram.edges[bin + 1]);
    return static_cast<double>(
        static_cast<float>((static_cast<double>(low) + static_cast<double>(high)) / 2.0));
}

/// Mass of a bin between its lower edge and a place `part` above it.
MassSums uniformPart(double count, double edge, double width, double part)
{
    const double held = count * (width > 0.0 ? part / width : 1.0);
    return {.count = held,
            .sum = held * (edge + part / 2.0),
            .squares = held * (edge * edge + edge * part + part * part / 3.0)};
}

}  // namespace

MassSums& MassSums::operator+=(const MassSums& other)
{
    count += other.count;
    sum += other.sum;
    squares += other.squares;
    return *this;
}

MassSums operator-(MassSums left, const MassSums& right)
{
    left.count -= right.count;
    left.sum -= right.sum;
    left.squares -= right.squares;
    return left;
}

double MassSums::squaredDistance(double value) const
{
    return std::max(squares - 2.0 * value * sum + value * value * count, 0.0);
}

std::vector<PointMass> knownPoints(const Extents& extents, Domain domain)
{
    const auto zeros = static_cast<double>(extents.zeros);
    const auto atMin = static_cast<double>(extents.atMin);
    const auto atMax = static_cast<double>(extents.atMax);
    std::vector<PointMass> points;
    const auto add = [&points](double value, double count) {
        if (value != 0.0 && count > 0.0)
            points.push_back({.value = value, .count = count});
    };
    if (zeros > 0.0)
        points.push_back({.value = 0.0, .count = zeros});
    if (domain == Domain::Signed) {
        add(extents.min, atMin);
        if (extents.max > extents.min)
            add(extents.max, atMax);
        return points;
    }
    const double largest = extents.absMax();
    add(largest, (extents.max == largest ? atMax : 0.0) + (extents.min == -largest ? atMin : 0.0));
    return points;
}

HistogramMass::HistogramMass(const Histogram& histogram, Density density,
                             const std::vector<PointMass>& points)
    : m_density(density), m_hasEqualBins(histogram.edges.empty())
{
    for (const std::uint64_t count : histogram.counts)
        m_counts.push_back(static_cast<double>(count));
    for (const PointMass& point : points) {
        double& held = m_counts[histogram.binOf(point.value)];
        const double taken = std::min(held, point.count);
        held -= taken;
        if (taken > 0.0)
            m_points.push_back({.value = point.value, .count = taken});
    }
    m_below.emplace_back();
    for (std::size_t bin = 0; bin < bins(); ++bin) {
        m_edges.push_back(histogram.edge(bin));
        m_centres.push_back(centreOf(histogram, bin));
        const double centre = m_centres.back();
        const double edge = m_edges.back();
        const double width = histogram.edge(bin + 1) - edge;
        m_below.push_back(m_below.back());
        m_below.back() += density == Density::Uniform
                              ? uniformPart(m_counts[bin], edge, width, width)
                              : uniformPart(m_counts[bin], centre, 0.0, 0.0);
    }
    m_edges.push_back(histogram.edge(bins()));
}

/// How many of the ascending places lie below x. They are nearly equidistant, so that a guess is a
/// place or two off.
std::size_t HistogramMass::binsBelow(const std::vector<double>& places, double x) const
{
    if (!(x > places.front()))
        return 0;
    const double share = (x - places.front()) / (places.back() - places.front());
    const double last = static_cast<double>(places.size() - 1);
    std::size_t bin = share < 1.0 ? static_cast<std::size_t>(share * last) : places.size();
    while (bin > 0 && !(places[bin - 1] < x))
        --bin;
    while (bin < places.size() && places[bin] < x)
        ++bin;
    return bin;
}

MassSums HistogramMass::below(double x) const
{
    if (m_density == Density::Centre)
        return m_below[binsBelow(m_centres, x)];
    const std::size_t reached = binsBelow(m_edges, x);
    if (reached == 0)
        return {};
    if (reached > bins())
        return m_below.back();
    const std::size_t bin = reached - 1;
    MassSums sums = m_below[bin];
    sums +=
        uniformPart(m_counts[bin], m_edges[bin], m_edges[bin + 1] - m_edges[bin], x - m_edges[bin]);
    return sums;
}

double HistogramMass::count() const
{
    double count = ofBins().count;
    for (const PointMass& point : m_points)
        count += point.count;
    return count;
}

}  // namespace calibscope
