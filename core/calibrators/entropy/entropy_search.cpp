// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/calibrators/entropy/entropy_search.h"

#include "core/kernels/logs.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace calibscope {

namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

double timesLog(double value)
{
    return value > 0.0 ? value * std::log(value) : 0.0;
}

/// Sums over the bins before one.
struct BinsBefore
{
    double count = 0.0;
    double log = 0.0;          ///< ln h of the bins that are not empty
    double countLog = 0.0;     ///< h ln h
    std::uint32_t filled = 0;  ///< bins that are not empty
    std::uint32_t next = 0;    ///< the first bin from here on that is not empty; behind all: none
};

/// One entry more than bins.
std::vector<BinsBefore> binsBefore(std::span<const std::uint64_t> counts)
{
    std::vector<BinsBefore> all{{}};
    all.reserve(counts.size() + 1);
    for (const std::uint64_t binCount : counts) {
        BinsBefore before = all.back();
        const double h = static_cast<double>(binCount);
        before.count += h;
        before.countLog += timesLog(h);
        if (h > 0.0) {
            before.log += std::log(h);
            ++before.filled;
        }
        all.push_back(before);
    }
    auto next = static_cast<std::uint32_t>(counts.size());
    for (std::size_t bin = counts.size() + 1; bin-- > 0;) {
        if (bin < counts.size() && counts[bin] > 0)
            next = static_cast<std::uint32_t>(bin);
        all[bin].next = next;
    }
    return all;
}

/// What each level of the coarse histogram that counts adds up to: one entry a level, so
/// that all logarithms of a trial are taken at once.
class LevelSums
{
public:
    LevelSums(std::size_t levels, std::size_t bins)
        : m_entries(levels + 1),  // the one behind the last is written to, too
          m_source(levels + 1),
          m_sourceLogs(levels + 1)
    {
        m_binsLogs.push_back(0.0);
        for (std::size_t over = 1; over <= bins; ++over)
            m_binsLogs.push_back(std::log(static_cast<double>(over)));
    }

    void clear() { m_size = 0; }
    /// The mass of P in a level, what is spread back, over how many bins, and ln P summed over
    /// these. A level that does not count is left out, without a branch.
    void add(double mass, double source, std::size_t bins, double logs, bool counts)
    {
        m_entries[m_size] = {.mass = mass, .logs = logs, .bins = bins};
        m_source[m_size] = source;
        m_size += counts ? 1U : 0U;
    }

    /// sum over levels of p ln(c / k), or in the other direction of c ln(c / k) - c / k G.
    [[nodiscard]] double sum(bool isCoarseFirst)
    {
        const std::span source = std::span(m_source).first(m_size);
        kernels::logsOf(source, m_sourceLogs);
        return isCoarseFirst ? summed([&](std::size_t level) {
            const Entry& entry = m_entries[level];
            return source[level] * spreadLog(level) -
                   source[level] / static_cast<double>(entry.bins) * entry.logs;
        })
                             : summed([&](std::size_t level) {
                                   return m_entries[level].mass * spreadLog(level);
                               });
    }

private:
    struct Entry
    {
        double mass = 0.0;
        double logs = 0.0;
        std::size_t bins = 0;
    };

    /// ln(c / k)
    [[nodiscard]] double spreadLog(std::size_t level) const
    {
        return m_sourceLogs[level] - m_binsLogs[m_entries[level].bins];
    }
    /// In two sums by turns, so that no addition waits for the one before.
    template <typename TermOf>
    [[nodiscard]] double summed(const TermOf& termOf) const
    {
        double even = 0.0;
        double odd = 0.0;
        for (std::size_t level = 0; level + 1 < m_size; level += 2) {
            even += termOf(level);
            odd += termOf(level + 1);
        }
        return even + odd + (m_size % 2 == 1 ? termOf(m_size - 1) : 0.0);
    }

    std::size_t m_size = 0;
    std::vector<Entry> m_entries;
    std::vector<double> m_source;
    std::vector<double> m_sourceLogs;
    std::vector<double> m_binsLogs;  ///< ln k of k = 1, 2, ...; that of 0 is 0
};

/// The divergence of one trial from prefix sums.
///
/// With P_j the truncated counts, S their sum, and for level l: p_l the sum of P, c_l what is
/// spread back, k_l the bins it is spread over, T the sum of all c_l, Q_j = c_l / k_l:
///
///   KL(P || Q) = sum_j P_j/S (ln P_j - ln S - ln Q_j + ln T)
///              = (sum_j P_j ln P_j - sum_l p_l ln(c_l / k_l)) / S - ln S + ln T
///   KL(Q || P) = (sum_l c_l ln(c_l / k_l) - sum_l c_l / k_l G_l) / T - ln T + ln S
///
/// where G_l sums ln P_j over the bins with Q_j > 0. P_j is h_j but for the last bin, which also
/// holds the counts beyond it, so all sums over bins are differences of prefix sums. Where a level
/// is spread over all its bins, k_l is how many it has; KL(P || Q) is infinite where c_l = 0 < p_l,
/// which only the last level can have, and KL(Q || P) where a level with c_l > 0 has an empty bin.
class Trial
{
public:
    /// `levels` is room to work in.
    Trial(std::span<const BinsBefore> before, std::size_t trial, const EntropyRule& rule,
          LevelSums& levels)
        : m_before(before),
          m_levels(levels),
          m_candidate(trial),
          m_rule(rule),
          m_own(before[trial + 1].count - before[trial].count),
          m_last(before.back().count - before[trial].count),
          m_lastSource(rule.outliersInQ ? m_last : m_own)
    {}

    [[nodiscard]] double divergence() const
    {
        const double p = m_before.back().count;
        const double q = m_before[m_candidate].count + m_lastSource;
        if (!(q > 0.0))
            return infinite;
        const bool isFinite =
            m_rule.emptyBins == EmptyBins::All ? fillLevels<true>() : fillLevels<false>();
        if (!isFinite && (m_rule.coarseFirst || m_rule.logFloor == 0.0))
            return infinite;
        const double scales = std::log(q) - std::log(p);
        if (m_rule.coarseFirst)
            return std::max(m_levels.sum(true) / q - scales, 0.0);
        const double entropy = m_before[m_candidate].countLog + timesLog(m_last);
        // Only the last bin can be what Q lacks.
        const double floored = isFinite ? 0.0 : m_last * std::log(m_rule.logFloor * q);
        return std::max((entropy - m_levels.sum(false) - floored) / p + scales, 0.0);
    }

private:
    /// Returns false where one of P and Q, of which the divergence is, has something where the
    /// other has nothing.
    template <bool isOverAll>
    [[nodiscard]] bool fillLevels() const
    {
        // First bin of level l, see entropyLevel(): by centre the least j with (2j + 1) L >=
        // l (2B + 1), by edge with 2j L >= l (2B + 2). Where levels are more than bins, the last
        // bin is alone in its level, whichever that is. The quotient (l step + roundUp) / 2L grows
        // by the same from level to level, which saves a division for each.
        const std::size_t divisor = 2 * m_rule.levels;
        const std::size_t step = 2 * m_candidate + (m_rule.levelsByEdge ? 2 : 1);
        const std::size_t wholeStep = step / divisor;
        const std::size_t restStep = step % divisor;
        std::size_t quotient = 0;
        const std::size_t roundUp = (m_rule.levelsByEdge ? 2 : 1) * m_rule.levels - 1;
        const std::size_t worthLeavingOut = 32 * (wholeStep + 1);  // bins of about 32 levels
        std::size_t remainder = roundUp;
        m_levels.clear();
        std::size_t begin = 0;
        bool isFinite = true;
        for (std::size_t level = 1; level < m_rule.levels; ++level) {
            const bool carries = remainder + restStep >= divisor;
            quotient += wholeStep + (carries ? 1 : 0);
            remainder += restStep - (carries ? divisor : 0);
            const std::size_t end = std::min(quotient, m_candidate);
            isFinite &= addLevel<isOverAll>(begin, end, {});
            // Levels of empty bins add nothing. A long row of them, as a late outlier makes it, is
            // left out up to the level that holds the next count, or to the last one.
            const std::size_t next = std::min<std::size_t>(m_before[end].next, m_candidate);
            if (m_before[begin].filled == m_before[end].filled && next - end > worthLeavingOut) {
                const std::size_t holding = ((next + 1) * divisor - 1 - roundUp) / step;
                const std::size_t further = std::min(holding, m_rule.levels - 1);
                if (further > level) {
                    level = further;
                    quotient = (level * step + roundUp) / divisor;
                    remainder = (level * step + roundUp) % divisor;
                    begin = std::min(quotient, m_candidate);
                    continue;
                }
            }
            begin = end;
        }
        return addLevel<isOverAll>(begin, m_candidate,
                                   {.mass = m_last, .source = m_lastSource, .bins = 1}) &&
               isFinite;
    }

    /// What the last level holds besides: the trial's own bin.
    struct LastBin
    {
        double mass = 0.0;
        double source = 0.0;
        std::size_t bins = 0;
    };

    /// Bins from `begin` to before `end`, and the last one. Returns as fillLevels().
    template <bool isOverAll>
    [[nodiscard]] bool addLevel(std::size_t begin, std::size_t end, const LastBin& with) const
    {
        const BinsBefore& first = m_before[begin];
        const BinsBefore& last = m_before[end];
        const double count = last.count - first.count;
        const double mass = count + with.mass;
        const double source = count + with.source;
        const std::size_t filled = last.filled - first.filled;
        if constexpr (isOverAll) {
            const std::size_t bins = end - begin + with.bins;
            const double logs =
                last.log - first.log + (with.mass > 0.0 ? std::log(with.mass) : 0.0);
            m_levels.add(mass, source, bins, logs, source > 0.0);
            return m_rule.coarseFirst
                       ? !(source > 0.0) || filled + (with.mass > 0.0 ? 1 : 0) == bins
                       : source > 0.0 || !(mass > 0.0);
        } else {
            const std::size_t bins = filled + (with.source > 0.0 ? 1 : 0);
            const double logs =
                last.log - first.log + (with.source > 0.0 ? std::log(with.mass) : 0.0);
            m_levels.add(with.source > 0.0 ? mass : count, source, bins, logs, bins > 0);
            return m_rule.coarseFirst || with.source > 0.0 || !(with.mass > 0.0);
        }
    }

    std::span<const BinsBefore> m_before;
    LevelSums& m_levels;
    std::size_t m_candidate;
    const EntropyRule& m_rule;
    double m_own;         ///< count of the trial's bin
    double m_last;        ///< with the counts beyond it
    double m_lastSource;  ///< what of these is spread back
};

/// Near ties differ by the rounding of long sums; the plain form decides among them.
bool isNearLeast(double divergence, double least)
{
    constexpr double nearTie = 1e-9;
    return divergence <= least + nearTie * (1.0 + least);
}

/// Lets the trials without a count of their own win: everything beyond them is clipped.
/// Returns false if there is none, or if the counts beyond a trial are its own.
bool chooseEmpty(EntropySearch& search, std::span<const std::uint64_t> counts,
                 const EntropyRule& rule, bool takesLast)
{
    const auto filled = std::ranges::find_if(counts, [](std::uint64_t count) { return count > 0; });
    const auto firstFilled = static_cast<std::size_t>(filled - counts.begin());
    if (rule.outliersInQ && filled != counts.end())
        return false;
    if (firstFilled <= search.first)
        return false;
    const std::size_t emptyBins = firstFilled - search.first;
    const std::size_t empty =
        std::min((emptyBins + search.step - 1) / search.step, search.divergences.size());
    std::fill_n(search.divergences.begin(), empty, 0.0);
    search.chosen = takesLast ? empty - 1 : 0;
    search.isEmpty = true;
    return true;
}

}  // namespace

std::vector<double> allDivergences(std::span<const std::uint64_t> counts, std::size_t first,
                                   std::size_t last, const EntropyRule& rule, std::size_t step)
{
    std::vector<double> divergences;
    divergences.reserve((last - first) / step + 1);
    if (rule.emptyBins == EmptyBins::Smooth) {
        const std::vector<FilledBin> filled = filledBins(counts);
        for (std::size_t trial = first; trial <= last; trial += step)
            divergences.push_back(plainDivergence(filled, trial, rule));
        return divergences;
    }
    const std::vector<BinsBefore> before = binsBefore(counts);
    LevelSums levels(rule.levels, counts.size());
    for (std::size_t trial = first; trial <= last; trial += step)
        divergences.push_back(Trial(before, trial, rule, levels).divergence());
    return divergences;
}

EntropySearch searchEntropy(std::span<const std::uint64_t> counts, std::size_t first,
                            std::size_t last, const EntropyRule& rule, const EntropyPick& pick)
{
    if (first > last || last >= counts.size())
        return {};
    EntropySearch search{.first = first,
                         .step = pick.step,
                         .divergences = allDivergences(counts, first, last, rule, pick.step)};
    if (pick.emptyWins && chooseEmpty(search, counts, rule, pick.takesLast))
        return search;
    std::vector<double>& divergences = search.divergences;
    const double nearLeast = *std::ranges::min_element(divergences);
    if (nearLeast == infinite)
        return search;
    const std::vector<FilledBin> filled = filledBins(counts);
    for (std::size_t index = 0; index < divergences.size(); ++index)
        if (isNearLeast(divergences[index], nearLeast))
            divergences[index] = plainDivergence(filled, search.trial(index), rule);
    const double least = *std::ranges::min_element(divergences);
    for (std::size_t index = 0; index < divergences.size(); ++index)
        if (divergences[index] == least)
            search.ties.push_back(index);
    const auto chosen = pick.takesLast ? search.ties.end() - 1 : search.ties.begin();
    search.chosen = *chosen;
    search.ties.erase(chosen);
    return search;
}

}  // namespace calibscope
