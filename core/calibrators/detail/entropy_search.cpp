#include "core/calibrators/detail/entropy_search.h"

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

/// Sums over the bins before each bin, one entry more than bins.
struct PrefixSums
{
    std::vector<double> count{0.0};
    std::vector<double> filled{0.0};
    std::vector<double> countLog{0.0};  ///< h ln h
    std::vector<double> log{0.0};       ///< ln h of the bins that are not empty

    explicit PrefixSums(std::span<const std::uint64_t> counts)
    {
        for (const std::uint64_t binCount : counts) {
            const double h = static_cast<double>(binCount);
            count.push_back(count.back() + h);
            filled.push_back(filled.back() + (h > 0.0 ? 1.0 : 0.0));
            countLog.push_back(countLog.back() + timesLog(h));
            log.push_back(log.back() + (h > 0.0 ? std::log(h) : 0.0));
        }
    }
};

/// What each level of the coarse histogram that is not empty adds up to: one entry a level, so
/// that all logarithms of a candidate are taken at once.
struct LevelSums
{
    std::vector<double> mass;    ///< of P
    std::vector<double> source;  ///< what is spread back
    std::vector<double> filled;  ///< bins that it is spread over
    std::vector<double> logs;    ///< sum of ln P over these bins
    std::vector<double> spread;  ///< ln(source / filled)

    void clear()
    {
        for (std::vector<double>* sums : {&mass, &source, &filled, &logs})
            sums->clear();
    }
    void add(double massOfLevel, double sourceOfLevel, double filledBins, double logsOfBins)
    {
        if (!(filledBins > 0.0))
            return;
        mass.push_back(massOfLevel);
        source.push_back(sourceOfLevel);
        filled.push_back(filledBins);
        logs.push_back(logsOfBins);
    }
    void takeLogs()
    {
        spread.resize(mass.size());
        kernels::logsOfRatios(source, filled, spread);
    }
};

/// The divergence of one candidate from prefix sums.
///
/// With P_j the truncated counts, S their sum, and for level l: p_l the sum of P, c_l what is
/// spread back, k_l the bins it is spread over, T the sum of all c_l, Q_j = c_l / k_l:
///
///   KL(P || Q) = sum_j P_j/S (ln P_j - ln S - ln Q_j + ln T)
///              = (sum_j P_j ln P_j - sum_l p_l ln(c_l / k_l)) / S - ln S + ln T
///   KL(Q || P) = (sum_l c_l ln(c_l / k_l) - sum_l c_l / k_l G_l) / T - ln T + ln S
///
/// where G_l sums ln P_j over the bins with Q_j > 0. P_j is h_j but for the last bin, which also
/// holds the counts beyond it, so all sums over bins are differences of prefix sums.
class Candidate
{
public:
    /// `levels` is room to work in.
    Candidate(const PrefixSums& sums, std::size_t candidate, const EntropyRule& rule,
              LevelSums& levels)
        : m_sums(sums),
          m_levels(levels),
          m_candidate(candidate),
          m_rule(rule),
          m_own(sums.count[candidate + 1] - sums.count[candidate]),
          m_last(m_own + sums.count.back() - sums.count[candidate + 1]),
          m_lastSource(rule.outliersInQ ? m_last : m_own)
    {}

    [[nodiscard]] double divergence() const
    {
        const double p = m_sums.count.back();
        const double q = m_sums.count[m_candidate] + m_lastSource;
        if (!(q > 0.0))
            return infinite;
        const double scales = std::log(q) - std::log(p);
        if (m_rule.coarseFirst)
            return std::max(sumOverLevels(true) / q - scales, 0.0);
        if (m_last > 0.0 && m_lastSource == 0.0)
            return infinite;
        const double entropy = m_sums.countLog[m_candidate] + timesLog(m_last);
        return std::max((entropy - sumOverLevels(false)) / p + scales, 0.0);
    }

private:
    [[nodiscard]] double sumOverLevels(bool isCoarseFirst) const
    {
        fillLevels();
        m_levels.takeLogs();
        double sum = 0.0;
        for (std::size_t level = 0; level < m_levels.mass.size(); ++level)
            sum += isCoarseFirst
                       ? m_levels.source[level] * m_levels.spread[level] -
                             m_levels.source[level] / m_levels.filled[level] * m_levels.logs[level]
                       : m_levels.mass[level] * m_levels.spread[level];
        return sum;
    }

    void fillLevels() const
    {
        // First bin of level l, see entropyLevel(): by centre the least j with (2j + 1) L >=
        // l (2B + 1), by edge with 2j L >= l (2B + 2). Where levels are more than bins, the last
        // bin is alone in its level, whichever that is. The quotient (l step + roundUp) / 2L grows
        // by the same from level to level, which saves a division for each.
        const std::size_t divisor = 2 * m_rule.levels;
        const std::size_t step = 2 * m_candidate + (m_rule.levelsByEdge ? 2 : 1);
        std::size_t quotient = 0;
        std::size_t remainder = (m_rule.levelsByEdge ? 2 : 1) * m_rule.levels - 1;
        m_levels.clear();
        std::size_t begin = 0;
        for (std::size_t level = 1; level < m_rule.levels; ++level) {
            quotient += step / divisor;
            remainder += step % divisor;
            if (remainder >= divisor) {
                remainder -= divisor;
                ++quotient;
            }
            const std::size_t end = std::min(quotient, m_candidate);
            addLevel(begin, end, 0.0, 0.0);
            begin = end;
        }
        addLevel(begin, m_candidate, m_last, m_lastSource);
    }

    /// Bins from `begin` to before `end`, and what else the level holds.
    void addLevel(std::size_t begin, std::size_t end, double mass, double source) const
    {
        const double count = m_sums.count[end] - m_sums.count[begin];
        m_levels.add(count + mass, count + source,
                     m_sums.filled[end] - m_sums.filled[begin] + (source > 0.0 ? 1.0 : 0.0),
                     m_sums.log[end] - m_sums.log[begin] + (source > 0.0 ? std::log(mass) : 0.0));
    }

    const PrefixSums& m_sums;
    LevelSums& m_levels;
    std::size_t m_candidate;
    const EntropyRule& m_rule;
    double m_own;         ///< count of the candidate's bin
    double m_last;        ///< with the counts beyond it
    double m_lastSource;  ///< what of these is spread back
};

/// Near ties differ by the rounding of long sums; the plain form decides among them.
bool isNearLeast(double divergence, double least)
{
    constexpr double nearTie = 1e-9;
    return divergence <= least + nearTie * (1.0 + least);
}

/// Lets the candidates without a count of their own win: everything beyond them is clipped.
/// Returns false if there is none, or if the counts beyond a candidate are its own.
bool chooseEmpty(EntropySearch& search, std::span<const std::uint64_t> counts,
                 const EntropyRule& rule, bool takesLast)
{
    const auto filled = std::ranges::find_if(counts, [](std::uint64_t count) { return count > 0; });
    const auto firstFilled = static_cast<std::size_t>(filled - counts.begin());
    if (rule.outliersInQ && filled != counts.end())
        return false;
    const std::size_t end = std::min(firstFilled, search.first + search.divergences.size());
    if (end <= search.first)
        return false;
    const std::size_t empty = end - search.first;
    std::fill_n(search.divergences.begin(), empty, 0.0);
    search.chosen = takesLast ? empty - 1 : 0;
    search.isEmpty = true;
    return true;
}

}  // namespace

std::vector<double> allDivergences(std::span<const std::uint64_t> counts, std::size_t first,
                                   std::size_t last, const EntropyRule& rule)
{
    std::vector<double> divergences;
    divergences.reserve(last - first + 1);
    if (rule.smooths) {
        const std::vector<FilledBin> filled = filledBins(counts);
        for (std::size_t candidate = first; candidate <= last; ++candidate)
            divergences.push_back(plainDivergence(filled, candidate, rule));
        return divergences;
    }
    const PrefixSums sums(counts);
    LevelSums levels;
    for (std::size_t candidate = first; candidate <= last; ++candidate)
        divergences.push_back(Candidate(sums, candidate, rule, levels).divergence());
    return divergences;
}

EntropySearch searchEntropy(std::span<const std::uint64_t> counts, std::size_t first,
                            std::size_t last, const EntropyRule& rule, const EntropyPick& pick)
{
    if (first > last || last >= counts.size())
        return {};
    EntropySearch search{.first = first, .divergences = allDivergences(counts, first, last, rule)};
    if (pick.emptyWins && chooseEmpty(search, counts, rule, pick.takesLast))
        return search;
    std::vector<double>& divergences = search.divergences;
    const double nearLeast = *std::ranges::min_element(divergences);
    if (nearLeast == infinite)
        return search;
    const std::vector<FilledBin> filled = filledBins(counts);
    for (std::size_t index = 0; index < divergences.size(); ++index)
        if (isNearLeast(divergences[index], nearLeast))
            divergences[index] = plainDivergence(filled, first + index, rule);
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
