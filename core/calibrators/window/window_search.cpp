// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/calibrators/window/window_search.h"

#include "core/kernels/logs.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>

namespace calibscope {

namespace {

constexpr double emptyBinCount = 1e-4;  // Glow, conditionHistogram: epsZero

/// The window with what lies outside added to its end bins.
template <typename Real>
std::vector<Real> truncated(const std::vector<Real>& counts, const Window& window)
{
    const auto begin = counts.begin();
    const auto first = begin + static_cast<std::ptrdiff_t>(window.first);
    const auto last = begin + static_cast<std::ptrdiff_t>(window.last);
    std::vector<Real> kept(first, last + 1);
    kept.front() = std::accumulate(begin, first + 1, Real{0});
    kept.back() = std::accumulate(last, counts.end(), Real{0});
    return kept;
}

/// Places are counted in parts of a bin, `parts` of them to each, so that borders are whole.
struct Level
{
    std::size_t begin;
    std::size_t end;
    std::size_t parts;

    [[nodiscard]] std::size_t firstBin() const { return begin / parts; }
    [[nodiscard]] std::size_t endBin() const { return (end + parts - 1) / parts; }
    /// Share of a bin that belongs to the level.
    template <typename Real>
    [[nodiscard]] Real shareOf(std::size_t bin) const
    {
        const std::size_t low = std::max(begin, bin * parts);
        const std::size_t high = std::min(end, (bin + 1) * parts);
        return static_cast<Real>(high - low) / static_cast<Real>(parts);
    }
};

Level levelOf(std::size_t level, std::size_t bins, const WindowRule& rule)
{
    if (rule.splitsBins)
        return {level * bins, (level + 1) * bins, rule.levels};
    const std::size_t whole = bins / rule.levels;
    return {level * whole, level + 1 < rule.levels ? (level + 1) * whole : bins, 1};
}

template <typename Real>
std::vector<Real> coarse(std::span<const Real> counts, const std::vector<Real>& kept,
                         const WindowRule& rule)
{
    std::vector<Real> spread(counts.size());
    for (std::size_t index = 0; index < rule.levels; ++index) {
        const Level level = levelOf(index, counts.size(), rule);
        Real sum = 0;
        Real filled = 0;
        for (std::size_t bin = level.firstBin(); bin < level.endBin(); ++bin) {
            const Real share = level.shareOf<Real>(bin);
            sum += share * counts[bin];
            filled += counts[bin] != Real{0} ? share : Real{0};
        }
        if (filled == Real{0})
            continue;
        for (std::size_t bin = level.firstBin(); bin < level.endBin(); ++bin)
            if (kept[bin] != Real{0})
                spread[bin] += level.shareOf<Real>(bin) * (sum / filled);
    }
    return spread;
}

template <typename Real>
void smooth(std::vector<Real>& counts)
{
    const auto empty = static_cast<std::size_t>(std::ranges::count(counts, Real{0}));
    if (empty == counts.size())
        return;
    constexpr Real given = static_cast<Real>(emptyBinCount);
    const Real taken = given * static_cast<Real>(empty) / static_cast<Real>(counts.size() - empty);
    if (taken >= Real{1})
        return;
    for (Real& count : counts)
        count = count == Real{0} ? given : count - taken;
}

template <typename Real>
double divergence(const std::vector<Real>& kept, const std::vector<Real>& spread)
{
    const Real keptSum = std::accumulate(kept.begin(), kept.end(), Real{0});
    const Real spreadSum = std::accumulate(spread.begin(), spread.end(), Real{0});
    Real sum = 0;
    for (std::size_t bin = 0; bin < kept.size(); ++bin) {
        const Real p = kept[bin] / keptSum;
        const Real q = spread[bin] / spreadSum;
        if (p > Real{0} && q > Real{0})
            sum += p * std::log(p / q);
    }
    return static_cast<double>(sum);
}

template <typename Real>
void measure(Window& window, const std::vector<Real>& counts, const WindowRule& rule)
{
    const std::span<const Real> within =
        std::span(counts).subspan(window.first, window.last - window.first + 1);
    window.isEmpty = std::ranges::all_of(within, [](Real count) { return count == Real{0}; });
    if (window.isEmpty) {
        window.divergence = rule.takesEmpty ? 0.0 : std::numeric_limits<double>::infinity();
        return;
    }
    std::vector<Real> kept = truncated(counts, window);
    std::vector<Real> spread = coarse(within, kept, rule);
    smooth(kept);
    smooth(spread);
    window.divergence = divergence(kept, spread);
}

/// A step inwards, and the counts of the two bins that it leaves out.
struct Step
{
    std::size_t below;
    std::size_t above;
    std::uint64_t lost;
};

bool keepsZero(const Window& window, const Step& step, const WindowRule& rule)
{
    return static_cast<double>(window.first + step.below) <= rule.zeroPlace &&
           rule.zeroPlace <= static_cast<double>(window.last + 1 - step.above);
}

std::optional<Window> nextWindow(const Window& window, std::span<const std::uint64_t> counts,
                                 const WindowRule& rule)
{
    if (window.last - window.first + 1 < rule.levels + 2)
        return std::nullopt;
    const std::size_t low = window.first;
    const std::size_t high = window.last;
    const std::array<Step, 3> steps{{{1, 1, counts[low] + counts[high]},
                                     {2, 0, counts[low] + counts[low + 1]},
                                     {0, 2, counts[high] + counts[high - 1]}}};
    std::optional<Step> best;
    for (const Step& step : std::span(steps).first(rule.shrinksBothEnds ? 1 : steps.size()))
        if ((rule.zeroMayLeave || keepsZero(window, step, rule)) &&
            (!best || step.lost < best->lost))
            best = step;
    if (!best)
        return std::nullopt;
    return Window{.first = low + best->below, .last = high - best->above};
}

template <typename Real>
std::vector<Real> realCounts(std::span<const std::uint64_t> counts)
{
    std::vector<Real> real(counts.size());
    std::ranges::transform(counts, real.begin(),
                           [](std::uint64_t count) { return static_cast<Real>(count); });
    return real;
}

/// The same divergences within some 1e-12, in time of the levels instead of the bins: inside a level
/// all bins have one Q, so sums over them come from running sums over the histogram. Only the bins
/// at the window's ends and on borders of levels are looked at.
class RunningDivergence
{
public:
    RunningDivergence(const std::vector<double>& counts, const WindowRule& rule)
        : m_counts(counts), m_rule(rule), m_sum(counts.size() + 1), m_filled(counts.size() + 1)
    {
        for (std::vector<double>& powers : m_powers)
            powers.resize(counts.size() + 1);
        for (std::size_t bin = 0; bin < counts.size(); ++bin) {
            const double count = counts[bin];
            m_sum[bin + 1] = m_sum[bin] + count;
            m_filled[bin + 1] = m_filled[bin] + (count > 0.0 ? 1.0 : 0.0);
            for (std::size_t power = 0; power < m_powers.size(); ++power)
                m_powers[power][bin + 1] =
                    m_powers[power][bin] + (count > 0.0 ? factorOf(count, power) : 0.0);
        }
    }

    /// Nothing for a window without counts, and where so many bins are empty that the series would
    /// need more terms.
    [[nodiscard]] std::optional<double> operator()(const Window& window)
    {
        m_first = window.first;
        m_bins = window.last - window.first + 1;
        const double low = m_sum[window.first + 1];
        const double high = m_sum.back() - m_sum[window.last];
        setBorders();
        setMeans();
        // Between the end bins, one of Q is empty where one of P is.
        const double empty = static_cast<double>(m_bins - 2) - inner(m_filled, 1, m_bins - 1);
        const auto isZero = [](double count) { return count > 0.0 ? 0.0 : 1.0; };
        const double lowSpread = low > 0.0 ? m_means.front() : 0.0;
        const double highSpread = high > 0.0 ? m_means.back() : 0.0;
        const double taken = takenFor(empty + isZero(low) + isZero(high));
        const double spreadTaken = takenFor(empty + isZero(lowSpread) + isZero(highSpread));
        if (inner(m_filled, 0, m_bins) == 0.0 || std::max(taken, spreadTaken) > mostTaken)
            return std::nullopt;
        m_weights.clear();
        m_spread.clear();
        const double spreadSum = lowSpread + highSpread + addLevels(taken, spreadTaken);
        double mass = m_sum.back();
        double sum = seriesOf(taken);
        for (const auto& [kept, spread] :
             {std::pair{low, lowSpread}, std::pair{high, highSpread}}) {
            const double p = kept > 0.0 ? kept - taken : emptyBinCount;
            const double q = spread > 0.0 ? spread - spreadTaken : emptyBinCount;
            if (q > 0.0) {
                sum += p * std::log(p);
                add(p, q);
            } else {
                mass -= p;
            }
        }
        m_logs.resize(m_spread.size());
        kernels::logsOf(m_spread, m_logs);
        sum -= std::inner_product(m_weights.begin(), m_weights.end(), m_logs.begin(), 0.0);
        return (sum + mass * std::log(spreadSum / m_sum.back())) / m_sum.back();
    }

private:
    static constexpr double mostTaken = 0.05;
    /// Terms of (c - t) ln (c - t) in powers of t, c at least 1: what follows is below 1e-12 c.
    static constexpr std::size_t terms = 8;

    static double factorOf(double count, std::size_t power)
    {
        if (power == 0)
            return count * std::log(count);
        if (power == 1)
            return -1.0 - std::log(count);
        const auto m = static_cast<double>(power);
        return std::pow(count, 1.0 - m) / (m * (m - 1.0));
    }

    /// A running sum from a bin of the window to another.
    [[nodiscard]] double inner(const std::vector<double>& sums, std::size_t begin,
                               std::size_t end) const
    {
        return sums[m_first + end] - sums[m_first + begin];
    }

    /// Where a level begins: in a bin of the window, behind this part of it.
    struct Border
    {
        std::size_t bin = 0;
        double part = 0.0;
    };

    /// Those of all levels, and the end of the last.
    void setBorders()
    {
        const std::size_t width = m_bins / m_rule.levels;
        const std::size_t parts = m_rule.splitsBins ? m_bins % m_rule.levels : 0;
        m_borders.resize(m_rule.levels + 1);
        std::size_t bin = 0;
        std::size_t rest = 0;
        for (Border& border : m_borders) {
            border = {bin, static_cast<double>(rest) / static_cast<double>(m_rule.levels)};
            bin += width;
            rest += parts;
            if (rest >= m_rule.levels) {
                rest -= m_rule.levels;
                ++bin;
            }
        }
        m_borders.back() = {m_bins, 0.0};
    }

    [[nodiscard]] double upTo(const std::vector<double>& sums, const Border& border) const
    {
        const std::size_t bin = m_first + border.bin;
        return border.part > 0.0 ? sums[bin] + (sums[bin + 1] - sums[bin]) * border.part
                                 : sums[bin];
    }

    void setMeans()
    {
        m_means.assign(m_rule.levels, 0.0);
        double sumBefore = m_sum[m_first];
        double filledBefore = m_filled[m_first];
        for (std::size_t level = 0; level < m_rule.levels; ++level) {
            const double sum = upTo(m_sum, m_borders[level + 1]);
            const double filled = upTo(m_filled, m_borders[level + 1]);
            if (filled > filledBefore)
                m_means[level] = (sum - sumBefore) / (filled - filledBefore);
            sumBefore = sum;
            filledBefore = filled;
        }
    }

    [[nodiscard]] double takenFor(double empty) const
    {
        return emptyBinCount * empty / (static_cast<double>(m_bins) - empty);
    }

    /// Sum of P ln P between the end bins.
    [[nodiscard]] double seriesOf(double taken) const
    {
        double sum = 0.0;
        for (std::size_t power = terms; power-- > 0;)
            sum = sum * taken + inner(m_powers[power], 1, m_bins - 1);
        return sum;
    }

    void add(double weight, double spread)
    {
        m_weights.push_back(weight);
        m_spread.push_back(spread);
    }

    /// Adds P and Q between the end bins, and returns the sum of Q before empty bins are given any.
    double addLevels(double taken, double spreadTaken)
    {
        double sum = 0.0;
        for (std::size_t level = 0; level < m_rule.levels; ++level) {
            const Border& from = m_borders[level];
            const Border& to = m_borders[level + 1];
            const std::size_t begin =
                std::max<std::size_t>(1, from.bin + (from.part > 0.0 ? 1 : 0));
            const std::size_t end = std::min(m_bins - 1, to.bin);
            const double filled = begin < end ? inner(m_filled, begin, end) : 0.0;
            if (filled > 0.0) {
                add(inner(m_sum, begin, end) - filled * taken, m_means[level] - spreadTaken);
                sum += filled * m_means[level];
            }
            if (!(to.part > 0.0) || to.bin + 1 >= m_bins || !(m_counts[m_first + to.bin] > 0.0))
                continue;
            const double spread = to.part * m_means[level] + (1.0 - to.part) * m_means[level + 1];
            add(m_counts[m_first + to.bin] - taken, spread - spreadTaken);
            sum += spread;
        }
        return sum;
    }

    const std::vector<double>& m_counts;
    const WindowRule& m_rule;
    std::vector<double> m_sum;     ///< of the counts before each bin
    std::vector<double> m_filled;  ///< bins before each that are not empty
    std::array<std::vector<double>, terms> m_powers;
    std::size_t m_first = 0;
    std::size_t m_bins = 0;
    std::vector<Border> m_borders;
    std::vector<double> m_means;  ///< of each level, 0 where all its bins are empty
    std::vector<double> m_weights;
    std::vector<double> m_spread;
    std::vector<double> m_logs;
};

template <typename Real>
void measureAll(std::span<Window> windows, std::span<const std::uint64_t> counts,
                const WindowRule& rule)
{
    const std::vector<Real> real = realCounts<Real>(counts);
    for (Window& window : windows)
        measure(window, real, rule);
}

/// Those that may be the least bin by bin, the others by running sums.
void searchByLevels(std::span<Window> windows, std::span<const std::uint64_t> counts,
                    const WindowRule& rule)
{
    constexpr double margin = 1e-9;  // a thousand times what the running sums are off
    const std::vector<double> real = realCounts<double>(counts);
    RunningDivergence divergence(real, rule);
    double least = std::numeric_limits<double>::infinity();
    for (Window& window : windows) {
        if (const std::optional<double> known = divergence(window))
            window.divergence = *known;
        else
            measure(window, real, rule);
        least = std::min(least, window.divergence);
    }
    for (Window& window : windows)
        if (window.divergence <= least + margin)
            measure(window, real, rule);
}

}  // namespace

std::vector<Window> visitedWindows(std::span<const std::uint64_t> counts, const WindowRule& rule)
{
    std::vector<Window> windows;
    if (counts.size() < rule.levels)
        return windows;
    std::optional<Window> window{{.first = 0, .last = counts.size() - 1}};
    while (window) {
        windows.push_back(*window);
        window = nextWindow(*window, counts, rule);
    }
    return windows;
}

std::vector<Window> searchWindows(std::span<const std::uint64_t> counts, const WindowRule& rule)
{
    std::vector<Window> windows = visitedWindows(counts, rule);
    if (rule.sumsInFloat32)
        measureAll<float>(windows, counts, rule);
    else
        searchByLevels(windows, counts, rule);
    return windows;
}

Window measuredWindow(std::span<const std::uint64_t> counts, const Window& window,
                      const WindowRule& rule)
{
    Window measured = window;
    if (rule.sumsInFloat32)
        measureAll<float>({&measured, 1}, counts, rule);
    else
        measureAll<double>({&measured, 1}, counts, rule);
    return measured;
}

WindowHistograms windowHistograms(std::span<const std::uint64_t> counts, const Window& window,
                                  const WindowRule& rule)
{
    const std::vector<double> real = realCounts<double>(counts);
    WindowHistograms both{.truncated = truncated(real, window), .coarse = {}};
    const std::span within = std::span(real).subspan(window.first, both.truncated.size());
    both.coarse = coarse(within, both.truncated, rule);
    return both;
}

}  // namespace calibscope
