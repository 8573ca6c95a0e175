// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recipes/diagnosis.h"

#include "core/base/median.h"
#include "core/base/number_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <limits>
#include <utility>

namespace calibscope {

namespace {

struct KindRow
{
    FindingKind kind;
    std::string_view id;
};

constexpr std::array<KindRow, 18> kindRows{{{FindingKind::Empty, "empty"},
                                            {FindingKind::NotFinite, "not-finite"},
                                            {FindingKind::Constant, "constant"},
                                            {FindingKind::Quantized, "quantized"},
                                            {FindingKind::MostlyZeros, "mostly-zeros"},
                                            {FindingKind::Saturated, "saturated"},
                                            {FindingKind::ConstantRegion, "constant-region"},
                                            {FindingKind::DeadChannels, "dead-channels"},
                                            {FindingKind::VanishingChannels, "vanishing-channels"},
                                            {FindingKind::DominantChannels, "dominant-channels"},
                                            {FindingKind::HeavyTail, "heavy-tail"},
                                            {FindingKind::OneSided, "one-sided"},
                                            {FindingKind::FarFromZero, "far-from-zero"},
                                            {FindingKind::Bimodal, "bimodal"},
                                            {FindingKind::UnstableBatches, "unstable-batches"},
                                            {FindingKind::RepeatedBatches, "repeated-batches"},
                                            {FindingKind::ClippingBound, "clipping-bound"},
                                            {FindingKind::RoundingBound, "rounding-bound"}}};

constexpr std::uint64_t leastValues = 1000;
constexpr double leastZeros = 0.9;
constexpr double leastSaturated = 0.01;
constexpr double leastConstant = 0.05;
constexpr double deadShare = 1e-4;
constexpr double halfLevels = 254.0;  // values below half a level of 127 become 0
constexpr std::size_t leastChannels = 8;
constexpr double leastDominance = 8.0;
constexpr double tailOrder = 0.999;
constexpr double leastTail = 3.0;
constexpr double mostShortSide = 1.0 / 8.0;
constexpr double mostSpread = 1.0 / 16.0;
constexpr std::size_t leastBatches = 4;
constexpr double leastInstability = 2.0;
constexpr double leastErrorRatio = 4.0;
constexpr double sketchBinWidth = 0x1p-10;  // relative, at most

std::string factorText(double factor)
{
    return fmt::format("{:.3g}", factor);
}

std::string valueText(double value)
{
    return fmt::format("{:.6g}", value);
}

std::string shareText(double share)
{
    return fmt::format("{:.3g} %", 100.0 * share);
}

/// The values other than 0, in columns of equal width over the middle 99 %, to see heaps in.
struct Columns
{
    static constexpr std::size_t count = 64;
    std::array<double, count> values{};  ///< how many
    double total = 0.0;                  ///< of all, also those outside of the middle
};

/// One bin of the sketch on the number line.
struct SignedBin
{
    double value = 0.0;
    double count = 0.0;
};

std::vector<SignedBin> signedBins(const MagnitudeSketch& sketch)
{
    std::vector<SignedBin> bins;
    for (auto bin = sketch.negative.rbegin(); bin != sketch.negative.rend(); ++bin)
        bins.push_back({.value = -bin->mean(), .count = static_cast<double>(bin->count)});
    for (const SketchBin& bin : sketch.positive)
        bins.push_back({.value = bin.mean(), .count = static_cast<double>(bin.count)});
    return bins;
}

double valueAtShare(const std::vector<SignedBin>& bins, double total, double share)
{
    double below = 0.0;
    for (const SignedBin& bin : bins) {
        below += bin.count;
        if (below >= share * total)
            return bin.value;
    }
    return bins.back().value;
}

/// The step that all values are multiples of; nothing if there is none, or a value is further than
/// 255 steps from 0. A bin of the sketch is then narrower than a step and holds one value.
std::optional<double> stepOf(const std::vector<SignedBin>& bins)
{
    constexpr double mostSteps = 255.0;
    constexpr double tolerance = 1e-4;  // of a step; float32 is off by 255 * 2^-24 at most
    if (bins.empty() || bins.size() > static_cast<std::size_t>(2.0 * mostSteps))
        return std::nullopt;
    double step = std::abs(bins.front().value);
    for (std::size_t i = 0; i < bins.size(); ++i) {
        step = std::min(step, std::abs(bins[i].value));
        if (i > 0)
            step = std::min(step, bins[i].value - bins[i - 1].value);
    }
    const double end = std::max(std::abs(bins.front().value), std::abs(bins.back().value));
    const double steps = std::round(end / step);
    if (!(step > 0.0) || steps > mostSteps)
        return std::nullopt;
    step = end / steps;
    const bool isLattice = std::ranges::all_of(bins, [&](const SignedBin& bin) {
        return std::abs(bin.value / step - std::round(bin.value / step)) <= tolerance;
    });
    return isLattice ? std::optional(step) : std::nullopt;
}

/// With a step, a column is a whole number of steps wide and none falls between two of them.
Columns columnsOf(const std::vector<SignedBin>& bins, double step)
{
    Columns columns;
    for (const SignedBin& bin : bins)
        columns.total += bin.count;
    constexpr double outside = 0.005;
    const double low = valueAtShare(bins, columns.total, outside) - step / 2.0;
    const double high = valueAtShare(bins, columns.total, 1.0 - outside) + step / 2.0;
    if (!(high > low))
        return columns;
    double width = (high - low) / static_cast<double>(Columns::count);
    if (step > 0.0)
        width = step * std::ceil(width / step * (1.0 - 1e-9));
    else  // each column with a bin at least, whose gaps would be valleys
        width = std::max(width, 2.0 * sketchBinWidth * std::max(-low, high));
    for (const SignedBin& bin : bins) {
        const double place = (bin.value - low) / width;
        if (place < 0.0 || bin.value > high)
            continue;
        const auto column = std::min(static_cast<std::size_t>(place), Columns::count - 1);
        columns.values[column] += bin.count;
    }
    return columns;
}

/// Three times a quarter from each neighbour: single columns that stand out by chance go.
void smoothe(std::array<double, Columns::count>& values)
{
    constexpr int times = 3;
    for (int round = 0; round < times; ++round) {
        const std::array<double, Columns::count> before = values;
        for (std::size_t i = 0; i < Columns::count; ++i) {
            const double left = before[i == 0 ? 0 : i - 1];
            const double right = before[i + 1 == Columns::count ? i : i + 1];
            values[i] = (left + 2.0 * before[i] + right) / 4.0;
        }
    }
}

/// Collects findings of one tensor.
class Diagnosing
{
public:
    explicit Diagnosing(const TensorProfile& profile)
        : m_profile(profile), m_extents(profile.extents())
    {}

    std::vector<TensorFinding> ofValues()
    {
        if (m_extents.finite == 0) {
            add(FindingKind::Empty, 0.0, "no finite value");
            return std::move(m_findings);
        }
        addNotFinite();
        if (m_extents.min == m_extents.max) {
            add(FindingKind::Constant, m_extents.min,
                "constant: all values are " + valueText(m_extents.min));
            return std::move(m_findings);
        }
        findLoneValue();
        addStep();
        addZeros();
        addSaturation();
        addRegion();
        addChannels();
        addTail();
        addSides();
        addHeaps();
        addBatches();
        addRepeats();
        return std::move(m_findings);
    }

private:
    void add(FindingKind kind, double measure, std::string text)
    {
        m_findings.emplace_back(kind, measure, std::move(text));
    }

    [[nodiscard]] std::uint64_t nonzeros() const { return m_extents.finite - m_extents.zeros; }

    void addNotFinite()
    {
        const std::uint64_t left = m_extents.nan + m_extents.infinite();
        const double share = static_cast<double>(left) / static_cast<double>(m_extents.values());
        if (left > 0)
            add(FindingKind::NotFinite, share,
                "not finite: " + shareText(share) + " of the values (" +
                    std::to_string(m_extents.nan) + " NaN, " +
                    countText(m_extents.infinite(), "infinity", "infinities") + ")");
    }

    /// A single value that no other reaches half of is the cause of one finding, the heavy tail.
    void findLoneValue() { m_hasLoneValue = hasDistribution() && m_extents.hasLoneMaximum(); }

    /// Largest magnitude, but for the single value.
    [[nodiscard]] double endOf(const Extents& part) const
    {
        return m_hasLoneValue && part.absMax() == m_extents.absMax() ? part.absSecond
                                                                     : part.absMax();
    }

    void addStep()
    {
        if (!hasDistribution())
            return;
        const std::optional<double> step = stepOf(signedBins(m_profile.sketch));
        if (!step)
            return;
        m_step = *step;
        add(FindingKind::Quantized, m_step,
            "quantized: all values are multiples of " + valueText(m_step));
    }

    void addZeros()
    {
        const double share =
            static_cast<double>(m_extents.zeros) / static_cast<double>(m_extents.finite);
        if (share >= leastZeros)
            add(FindingKind::MostlyZeros, share, "mostly zeros: " + shareText(share));
    }

    void addSaturation()
    {
        if (nonzeros() < leastValues)
            return;
        const bool isHigh =
            m_extents.max != 0.0 && (m_extents.atMax >= m_extents.atMin || m_extents.min == 0.0);
        const double end = isHigh ? m_extents.max : m_extents.min;
        const double share = static_cast<double>(isHigh ? m_extents.atMax : m_extents.atMin) /
                             static_cast<double>(m_extents.finite);
        if (share >= leastSaturated)
            add(FindingKind::Saturated, share,
                "saturated: " + shareText(share) + " of the values are " + valueText(end) +
                    ", the " + (isHigh ? "largest" : "least"));
    }

    void addRegion()
    {
        const ConstantEnds& ends = m_profile.constantEnds;
        const auto all = static_cast<double>(m_profile.info.valueCount());
        const double share = static_cast<double>(ends.values) / all;
        if (ends.axis >= 0 && share >= leastConstant)
            add(FindingKind::ConstantRegion, share,
                "constant region: " + shareText(share) +
                    " of the values repeat their neighbours near an end of axis " +
                    std::to_string(ends.axis));
    }

    void addChannels()
    {
        const std::vector<Extents>& channels = m_profile.channels;
        std::vector<double> ends;
        for (const Extents& channel : channels)
            if (endOf(channel) > 0.0)
                ends.push_back(endOf(channel));
        if (channels.size() < leastChannels || ends.empty())
            return;
        const double median = middleOf(ends).lower;
        const double half = endOf(m_extents) / halfLevels;
        std::vector<std::size_t> dead;
        std::vector<std::size_t> vanishing;
        std::vector<std::pair<double, std::size_t>> wide;  // narrowest last
        for (std::size_t i = 0; i < channels.size(); ++i) {
            const double end = endOf(channels[i]);
            if (channels[i].finite == 0)
                continue;
            if (end < deadShare * median)
                dead.push_back(i);
            else if (end < half)
                vanishing.push_back(i);
            else if (end >= leastDominance * median)
                wide.emplace_back(-end, i);
        }
        if (!dead.empty())
            add(FindingKind::DeadChannels, static_cast<double>(dead.size()),
                countText(dead.size(), "dead channel", "dead channels") + named(dead));
        if (!vanishing.empty())
            add(FindingKind::VanishingChannels, static_cast<double>(vanishing.size()),
                countText(vanishing.size(), "vanishing channel", "vanishing channels") +
                    named(vanishing));
        if (wide.empty())
            return;
        std::ranges::sort(wide);
        std::vector<std::size_t> dominant;
        std::ranges::transform(wide, std::back_inserter(dominant),
                               &std::pair<double, std::size_t>::second);
        add(FindingKind::DominantChannels, static_cast<double>(wide.size()),
            countText(wide.size(), "dominant channel", "dominant channels") + named(dominant) +
                ", up to " + factorText(-wide.front().first / median) + " times the median");
    }

    /// " (3, 7 and 4 others)".
    static std::string named(const std::vector<std::size_t>& channels)
    {
        constexpr std::size_t most = 3;
        std::string text;
        for (std::size_t i = 0; i < std::min(channels.size(), most); ++i)
            text += (i == 0 ? " (" : ", ") + std::to_string(channels[i]);
        if (channels.size() > most)
            text += " and " + countText(channels.size() - most, "other", "others");
        return text + ")";
    }

    /// Enough values to speak of a distribution, and the sketch that tells it.
    [[nodiscard]] bool hasDistribution() const
    {
        return nonzeros() >= leastValues && m_profile.sketch.count() > 0;
    }

    void addTail()
    {
        if (!hasDistribution())
            return;
        // Rank among the magnitudes other than 0, counted behind the zeros.
        const auto rank = m_profile.sketch.zeros +
                          static_cast<std::uint64_t>(tailOrder * static_cast<double>(nonzeros()));
        const double percentile =
            m_profile.sketch.magnitudeAt(std::min(rank, m_profile.sketch.count() - 1));
        const double factor = percentile > 0.0 ? m_extents.absMax() / percentile : 0.0;
        if (factor >= leastTail)
            add(FindingKind::HeavyTail, factor,
                "heavy tail: the largest magnitude is " + factorText(factor) +
                    " times the 99.9th percentile");
    }

    void addSides()
    {
        double below = std::max(-m_extents.min, 0.0);
        double above = std::max(m_extents.max, 0.0);
        if (m_hasLoneValue) {  // alone in the last bin of its side
            const bool isHigh = above > below;
            const auto& bins = isHigh ? m_profile.sketch.positive : m_profile.sketch.negative;
            (isHigh ? above : below) = bins.size() > 1 ? bins[bins.size() - 2].mean() : 0.0;
        }
        const double nearest = std::max(m_extents.min, -m_extents.max);
        const double spread = 1.0 - nearest / std::max(below, above);
        const double share = std::min(below, above) / std::max(below, above);
        if (spread <= mostSpread && !m_hasLoneValue)
            add(FindingKind::FarFromZero, spread,
                "far from 0: all values lie in " + shareText(spread) + " of the range from 0 on");
        else if (share <= mostShortSide)
            add(FindingKind::OneSided, share,
                "one-sided: " +
                    (share == 0.0 ? std::string(above > 0.0 ? "nothing below 0" : "nothing above 0")
                                  : std::string(above > below ? "below" : "above") +
                                        " 0 it reaches " + shareText(share) + " as far"));
    }

    /// Values that pile up at an end are saturated, no heap.
    void leaveOutPiles(std::vector<SignedBin>& bins) const
    {
        const auto leastPile = leastSaturated * static_cast<double>(m_extents.finite);
        const auto leaveOut = [&](SignedBin& bin, double end, std::uint64_t at) {
            if (end != 0.0 && static_cast<double>(at) >= leastPile)
                bin.count = std::max(0.0, bin.count - static_cast<double>(at));
        };
        leaveOut(bins.front(), m_extents.min, m_extents.atMin);
        leaveOut(bins.back(), m_extents.max, m_extents.atMax);
        std::erase_if(bins, [](const SignedBin& bin) { return bin.count == 0.0; });
    }

    void addHeaps()
    {
        // Subnormals are a coarse grid, whose gaps would be valleys.
        if (!hasDistribution() ||
            m_extents.absMax() < static_cast<double>(std::numeric_limits<float>::min()))
            return;
        std::vector<SignedBin> bins = signedBins(m_profile.sketch);
        if (m_step == 0.0)
            leaveOutPiles(bins);
        if (bins.empty())
            return;
        Columns columns = columnsOf(bins, m_step);
        const std::array<double, Columns::count> raw = columns.values;
        smoothe(columns.values);
        const auto& heights = columns.values;
        const auto top =
            static_cast<std::size_t>(std::ranges::max_element(heights) - heights.begin());
        double best = 1.0;
        for (std::size_t other = 0; other < Columns::count; ++other) {
            const auto [first, last] = std::minmax(top, other);
            if (last - first < 2)
                continue;
            const auto valley =
                std::min_element(heights.begin() + static_cast<std::ptrdiff_t>(first),
                                 heights.begin() + static_cast<std::ptrdiff_t>(last));
            const auto place = static_cast<std::size_t>(valley - heights.begin());
            const double lower = heights[other];
            double side = 0.0;
            for (std::size_t i = other < top ? 0 : place;
                 i < (other < top ? place : Columns::count); ++i)
                side += raw[i];
            constexpr double leastSide = 0.1;
            constexpr double deviations = 5.0;
            const double rest = columns.total - side;
            const bool isHeap = std::min(side, rest) >= leastSide * columns.total &&
                                lower - *valley >= deviations * std::sqrt(lower);
            if (isHeap && lower > 0.0)
                best = std::min(best, *valley / lower);
        }
        constexpr double mostValley = 0.5;
        if (best <= mostValley)
            add(FindingKind::Bimodal, best,
                "bimodal: two heaps, and between them " + shareText(best) + " of the lower one");
    }

    void addBatches()
    {
        std::vector<double> ends;
        for (const Extents& batch : m_profile.batches)
            if (batch.finite > 0)
                ends.push_back(endOf(batch));
        if (ends.size() < leastBatches)
            return;
        const double median = middleOf(ends).lower;
        const double factor = median > 0.0 ? std::ranges::max(ends) / median : 0.0;
        if (factor >= leastInstability)
            add(FindingKind::UnstableBatches, factor,
                "unstable: the widest batch reaches " + factorText(factor) +
                    " times as far as the median one");
    }

    /// Equal counts and ends are not proof, but two magnitudes of float32 that agree by chance are
    /// rare; where all values lie on steps, or at an end that many have, they are not.
    void addRepeats()
    {
        std::size_t repeats = 0;
        std::pair<std::size_t, std::size_t> first;
        const std::vector<Extents>& batches = m_profile.batches;
        for (std::size_t i = 1; m_step == 0.0 && i < batches.size(); ++i) {
            const Extents& batch = batches[i];
            if (batch.finite < leastValues || batch.absSecond == 0.0 ||
                batch.absSecond == batch.absMax())
                continue;
            const auto end = batches.begin() + static_cast<std::ptrdiff_t>(i);
            const auto same = std::find(batches.begin(), end, batch);
            if (same == end)
                continue;
            if (repeats++ == 0)
                first = {i, static_cast<std::size_t>(same - batches.begin())};
        }
        if (repeats > 0)
            add(FindingKind::RepeatedBatches, static_cast<double>(repeats),
                countText(repeats, "repeated batch", "repeated batches") + ": batch " +
                    std::to_string(first.first) + " has the counts and ends of batch " +
                    std::to_string(first.second));
    }

    const TensorProfile& m_profile;
    const Extents& m_extents;
    std::vector<TensorFinding> m_findings;
    bool m_hasLoneValue = false;
    double m_step = 0.0;  ///< 0: the values are not quantized
};

/// Whether half the range would leave less than half of the error: rounding falls to a quarter,
/// what it would clip is counted in the sketch.
bool gainsByHalf(const MagnitudeSketch& sketch, const ScaleRow& row, double error)
{
    if (sketch.count() == 0)
        return false;
    const double low = row.quantizer.clip.low / 2.0;
    const double high = row.quantizer.clip.high / 2.0;
    double clipped = 0.0;
    for (const SignedBin& bin : signedBins(sketch)) {
        const double beyond = bin.value - std::clamp(bin.value, low, high);
        clipped += bin.count * beyond * beyond;
    }
    return clipped / static_cast<double>(sketch.count()) + error / 4.0 < error / 2.0;
}

/// What the chosen candidate's error is made of.
std::optional<TensorFinding> ofError(const MagnitudeSketch& sketch, const Outcome& chosen)
{
    const ScaleRow& row = chosen.whole;
    const std::optional<double> rounding = row.metric("mse_rounding");
    const std::optional<double> clipping = row.metric("mse_clipping");
    if (!rounding || !clipping || !(*rounding + *clipping > 0.0))
        return std::nullopt;
    const double all = *rounding + *clipping;
    if (*clipping >= leastErrorRatio * *rounding)
        return TensorFinding(FindingKind::ClippingBound, *clipping / all,
                             "clipping-bound: " + shareText(*clipping / all) +
                                 " of the error is clipping");
    if (*rounding >= leastErrorRatio * *clipping && !chosen.isPerChannel() &&
        gainsByHalf(sketch, row, all))
        return TensorFinding(FindingKind::RoundingBound, *rounding / all,
                             "rounding-bound: " + shareText(*rounding / all) +
                                 " of the error is rounding");
    return std::nullopt;
}

std::optional<double> sqnrOf(const Outcome& outcome)
{
    const std::optional<double> sqnr =
        outcome.problem.empty() ? outcome.whole.metric("sqnr_db") : std::nullopt;
    return sqnr && std::isfinite(*sqnr) ? sqnr : std::nullopt;
}

}  // namespace

TensorFinding::TensorFinding(FindingKind ofKind, double measured, std::string text)
    : kind(ofKind),
      measure(measured),
      finding{.id = std::string(findingId(ofKind)), .text = std::move(text)}
{}

std::string_view findingId(FindingKind kind)
{
    return kindRows.at(static_cast<std::size_t>(kind)).id;
}

std::span<const FindingKind> findingKinds()
{
    static const std::vector<FindingKind> kinds = [] {
        std::vector<FindingKind> all;
        std::ranges::transform(kindRows, std::back_inserter(all), &KindRow::kind);
        return all;
    }();
    return kinds;
}

Diagnosis diagnosed(const TensorProfile& profile, const Outcome* chosen,
                    std::span<const Outcome> candidates)
{
    Diagnosis diagnosis{.findings = Diagnosing(profile).ofValues(), .better = {}};
    if (chosen == nullptr || !chosen->problem.empty())
        return diagnosis;
    const auto has = [&](FindingKind kind) {
        return std::ranges::find(diagnosis.findings, kind, &TensorFinding::kind) !=
               diagnosis.findings.end();
    };
    std::optional<TensorFinding> error = ofError(profile.sketch, *chosen);
    // A tail or wide channels are the cause of an error that is all rounding.
    const bool hasCause = has(FindingKind::HeavyTail) || has(FindingKind::DominantChannels);
    if (error && !(error->kind == FindingKind::RoundingBound && hasCause))
        diagnosis.findings.push_back(*std::move(error));
    if (has(FindingKind::Quantized))
        return diagnosis;
    const std::optional<double> own = sqnrOf(*chosen);
    for (std::size_t i = 0; own && i < candidates.size(); ++i) {
        const std::optional<double> sqnr = sqnrOf(candidates[i]);
        const double least = diagnosis.better ? diagnosis.better->gainDb : leastGainDb;
        if (sqnr && *sqnr - *own >= least && (!diagnosis.better || *sqnr - *own > least))
            diagnosis.better = BetterCandidate{.index = i, .gainDb = *sqnr - *own};
    }
    return diagnosis;
}

std::string diagnosisText(const Diagnosis& diagnosis, std::string_view better)
{
    std::string text;
    for (const TensorFinding& finding : diagnosis.findings)
        text += (text.empty() ? "" : "; ") + finding.finding.text;
    if (diagnosis.better)
        text += fmt::format("{}{} gains {:.1f} dB", text.empty() ? "" : "; ", better,
                            diagnosis.better->gainDb);
    if (text.empty())
        return text;
    if (diagnosis.findings.empty())
        return text + ".";
    text.front() = static_cast<char>(
        text.front() >= 'a' && text.front() <= 'z' ? text.front() - 'a' + 'A' : text.front());
    return text + ".";
}

}  // namespace calibscope
