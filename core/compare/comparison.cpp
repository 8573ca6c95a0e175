// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compare/comparison.h"

#include "core/metrics/common_bins.h"
#include "core/metrics/divergence.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace calibscope {

namespace {

/// Values that count as one.
struct Atom
{
    double value = 0.0;
    std::uint64_t count = 0;
};

/// The sketch's bins as atoms, ascending.
std::vector<Atom> atomsOf(const MagnitudeSketch& sketch)
{
    std::vector<Atom> atoms;
    atoms.reserve(sketch.negative.size() + sketch.positive.size() + 1);
    for (auto bin = sketch.negative.rbegin(); bin != sketch.negative.rend(); ++bin)
        atoms.push_back({-bin->mean(), bin->count});
    if (sketch.zeros > 0)
        atoms.push_back({0.0, sketch.zeros});
    for (const SketchBin& bin : sketch.positive)
        atoms.push_back({bin.mean(), bin.count});
    return atoms;
}

/// A distribution function that is walked through upwards.
class Steps
{
public:
    Steps(const std::vector<Atom>& atoms, std::uint64_t total) : m_atoms(atoms), m_total(total) {}

    [[nodiscard]] bool isAtEnd() const { return m_next == m_atoms.size(); }
    [[nodiscard]] double nextValue() const
    {
        return isAtEnd() ? std::numeric_limits<double>::infinity() : m_atoms[m_next].value;
    }
    /// Share of the values below the next one.
    [[nodiscard]] double share() const
    {
        return static_cast<double>(m_passed) / static_cast<double>(m_total);
    }
    void pass(double value)
    {
        while (!isAtEnd() && m_atoms[m_next].value <= value)
            m_passed += m_atoms[m_next++].count;
    }

private:
    const std::vector<Atom>& m_atoms;
    std::uint64_t m_total;
    std::size_t m_next = 0;
    std::uint64_t m_passed = 0;
};

/// The area between both distribution functions, which is the earth mover's distance in one
/// dimension.
double areaBetween(Steps a, Steps b)
{
    double area = 0.0;
    double from = std::min(a.nextValue(), b.nextValue());
    while (!a.isAtEnd() || !b.isAtEnd()) {
        a.pass(from);
        b.pass(from);
        const double to = std::min(a.nextValue(), b.nextValue());
        if (std::isfinite(to))
            area += std::abs(a.share() - b.share()) * (to - from);
        from = to;
    }
    return area;
}

std::vector<double> commonMasses(const std::vector<Atom>& atoms, double absMax)
{
    const CommonBins bins(absMax);
    std::vector<double> masses(commonBins, 0.0);
    for (const Atom& atom : atoms)
        masses[bins.binOf(atom.value)] += static_cast<double>(atom.count);
    return masses;
}

/// Counts in the common histogram as far as a sketch tells them.
struct BoundedMasses
{
    std::vector<double> least = std::vector<double>(commonBins);
    std::vector<double> most = std::vector<double>(commonBins);
    double total = 0.0;

    [[nodiscard]] MassBounds bounds() const
    {
        return {.least = least, .most = most, .total = total};
    }
    void add(std::size_t first, std::size_t last, double count)
    {
        if (first == last)
            least[first] += count;
        for (std::size_t bin = first; bin <= last; ++bin)
            most[bin] += count;
        total += count;
    }
};

BoundedMasses boundedMasses(const TensorProfile& profile, double absMax)
{
    const CommonBins bins(absMax);
    BoundedMasses masses;
    const auto add = [&](const SketchBin& bin, double sign, double end) {
        const bool isOne = bin.count == 1;
        const double low = sign * (isOne ? bin.mean() : bin.lowEdge());
        const double high = sign * (isOne ? bin.mean() : bin.spread(end).high);
        masses.add(bins.binOf(std::min(low, high)), bins.binOf(std::max(low, high)),
                   static_cast<double>(bin.count));
    };
    for (const SketchBin& bin : profile.sketch.negative)
        add(bin, -1.0, 0.0 - profile.extents().min);
    for (const SketchBin& bin : profile.sketch.positive)
        add(bin, 1.0, profile.extents().max);
    const std::size_t zero = bins.binOf(0.0);
    masses.add(zero, zero, static_cast<double>(profile.sketch.zeros));
    return masses;
}

/// The mean distance of the values from the means of their bins, at most: that of a bin is at most
/// the root of its mean squared one.
double meanDistanceAtMost(const TensorProfile& profile)
{
    double sum = 0.0;
    const auto add = [&sum](const SketchBin& bin, double end) {
        if (bin.count > 1)
            sum += std::sqrt(bin.spread(end).scatter * static_cast<double>(bin.count));
    };
    for (const SketchBin& bin : profile.sketch.negative)
        add(bin, 0.0 - profile.extents().min);
    for (const SketchBin& bin : profile.sketch.positive)
        add(bin, profile.extents().max);
    return sum / static_cast<double>(profile.sketch.count());
}

double ratioOf(double b, double a)
{
    if (a == 0.0)
        return b == 0.0 ? 1.0 : std::numeric_limits<double>::infinity();
    return b / a;
}

}  // namespace

bool hasPlaceholderScale(const Outcome& outcome)
{
    const Quantizer& quantizer = outcome.whole.quantizer;
    return outcome.problem.empty() && quantizer.scale == 1.0 && quantizer.clip.width() == 0.0;
}

bool hasLostValues(const Extents& a, const Extents& b)
{
    return (a.finite == 0) != (b.finite == 0);
}

std::string unusualOfOne(const Extents& a, const Extents& b)
{
    const auto skipped = [](const Extents& extents) { return extents.nan + extents.infinite(); };
    if (hasLostValues(a, b))
        return std::string("no finite value in the ") + (a.finite == 0 ? "first" : "second");
    if ((skipped(a) == 0) == (skipped(b) == 0))
        return {};
    const Extents& odd = skipped(a) > 0 ? a : b;
    std::string text;
    if (odd.nan > 0)
        text = std::to_string(odd.nan) + " NaN";
    if (odd.infinite() > 0)
        text += (text.empty() ? "" : ", ") + std::to_string(odd.infinite()) + " infinite";
    return text + " in the " + (&odd == &a ? "first" : "second");
}

std::optional<double> ChoiceComparison::scaleRatio() const
{
    if (!a.problem.empty() || !b.problem.empty() || hasPlaceholderScale(a) ||
        hasPlaceholderScale(b))
        return std::nullopt;
    return b.whole.quantizer.scale / a.whole.quantizer.scale;
}

std::optional<double> ChoiceComparison::sqnrLossDb() const
{
    if (!transferred || !b.problem.empty())
        return std::nullopt;
    const std::optional<double> own = b.whole.metric("sqnr_db");
    const std::optional<double> stale = metricIn(transferred->metrics, "sqnr_db");
    if (!own || !stale)
        return std::nullopt;
    return *own == *stale ? 0.0 : *own - *stale;
}

std::optional<double> ChoiceComparison::sqnrLossBarDb() const
{
    if (!sqnrLossDb() || (transferred->isExact && b.whole.hasExactMetrics))
        return std::nullopt;
    const std::optional<Range> bound = transferred->bounds.of("sqnr_db");
    const double stale = metricIn(transferred->metrics, "sqnr_db").value_or(0.0);
    return b.whole.bar("sqnr_db").value_or(0.0) + (bound ? barOf(stale, *bound) : 0.0);
}

void Drift::takeExactKl(std::span<const std::uint64_t> a, std::span<const std::uint64_t> b)
{
    klDivergence = smoothedDivergence(std::vector<double>(b.begin(), b.end()),
                                      std::vector<double>(a.begin(), a.end()));
    klBound = {klDivergence, klDivergence};
}

std::optional<Drift> driftBetween(const TensorProfile& a, const TensorProfile& b)
{
    const std::uint64_t countA = a.sketch.count();
    const std::uint64_t countB = b.sketch.count();
    if (countA == 0 || countB == 0)
        return std::nullopt;
    const double absMax = std::max(a.extents().absMax(), b.extents().absMax());
    const std::vector<Atom> atomsA = atomsOf(a.sketch);
    const std::vector<Atom> atomsB = atomsOf(b.sketch);
    Drift drift;
    drift.maxRatio = ratioOf(b.extents().absMax(), a.extents().absMax());
    drift.earthMover = areaBetween(Steps(atomsA, countA), Steps(atomsB, countB));
    constexpr double rounding = 1e-11;  // of sums of shares times distances
    drift.earthMoverBar = meanDistanceAtMost(a) + meanDistanceAtMost(b);
    if (drift.earthMoverBar > 0.0)
        drift.earthMoverBar += rounding * absMax;
    drift.earthMoverShare = absMax > 0.0 ? drift.earthMover / absMax : 0.0;
    drift.klDivergence =
        smoothedDivergence(commonMasses(atomsB, absMax), commonMasses(atomsA, absMax));
    const BoundedMasses massesA = boundedMasses(a, absMax);
    const BoundedMasses massesB = boundedMasses(b, absMax);
    const bool isCertain = massesA.least == massesA.most && massesB.least == massesB.most;
    drift.klBound = isCertain ? Range{drift.klDivergence, drift.klDivergence}
                              : smoothedDivergenceBound(massesB.bounds(), massesA.bounds());
    return drift;
}

}  // namespace calibscope
