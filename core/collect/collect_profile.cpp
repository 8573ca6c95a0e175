#include "core/collect/collect_profile.h"

#include "core/collect/at_once.h"
#include "core/kernels/kept_patterns.h"
#include "core/stats/channel_runs.h"
#include "core/stats/growth_rule.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <optional>
#include <vector>

namespace calibscope {

namespace {

/// Grows a histogram once for each batch, before the batch's first block is counted.
class GrowingHistogram
{
public:
    explicit GrowingHistogram(const HistogramSpec& spec)
        : m_rule(growthRule(spec.growth)), m_histogram(emptyHistogram(spec))
    {}

    void add(const Block& block, const TensorProfile& profile)
    {
        if (block.batch != m_batch) {
            m_batch = block.batch;
            m_rule.grow(m_histogram, profile.batches.at(block.batch), profile.extents());
        }
        m_histogram.add(block.values);
    }
    [[nodiscard]] const Histogram& histogram() const { return m_histogram; }

private:
    const GrowthRule& m_rule;
    Histogram m_histogram;
    std::optional<std::uint64_t> m_batch;
};

/// Finds the value of a given rank among those that share a sketch key: counts their dropped bits,
/// all 2^13 of them.
class OrderCounter
{
public:
    OrderCounter(const OrderRequest& request, const SketchPlace& place, bool isNegative)
        : m_request(request), m_place(place), m_isNegative(isNegative)
    {}

    void add(std::span<const float> values)
    {
        constexpr std::uint32_t signBit = 0x80000000U;
        constexpr std::size_t piece = 1024;
        std::array<std::uint32_t, piece + kernels::vectorRoom> patterns;
        for (std::size_t first = 0; first < values.size(); first += piece) {
            const std::size_t kept =
                kernels::keepKey(values.subspan(first, std::min(piece, values.size() - first)),
                                 m_place.key, droppedMantissaBits, patterns);
            for (const std::uint32_t pattern : std::span(patterns).first(kept)) {
                const std::uint32_t magnitude = pattern & ~signBit;
                if (magnitude != 0 && (m_request.domain == Domain::Magnitude ||
                                       (pattern != magnitude) == m_isNegative))
                    ++m_counts[magnitude % m_counts.size()];
            }
        }
    }

    [[nodiscard]] const OrderRequest& request() const { return m_request; }

    [[nodiscard]] OrderStatistic statistic() const
    {
        std::uint64_t before = 0;
        std::uint32_t low = 0;
        while (low + 1 < m_counts.size() && before + m_counts[low] <= m_place.rankInBin)
            before += m_counts[low++];
        const float magnitude = std::bit_cast<float>(m_place.key << droppedMantissaBits | low);
        return {.request = m_request,
                .value = m_isNegative ? -static_cast<double>(magnitude)
                                      : static_cast<double>(magnitude)};
    }

private:
    OrderRequest m_request;
    SketchPlace m_place;
    bool m_isNegative;
    std::array<std::uint64_t, std::size_t{1} << droppedMantissaBits> m_counts{};
};

/// Where the rank-th smallest signed value lies: negative bins descending, zeros, positive bins
/// ascending.
struct SignedPlace
{
    std::optional<SketchPlace> place;  ///< none: an exact zero
    bool isNegative = false;
};

SignedPlace signedPlace(const MagnitudeSketch& sketch, std::uint64_t rank)
{
    for (auto bin = sketch.negative.rbegin(); bin != sketch.negative.rend(); ++bin) {
        if (rank < bin->count)  // counted from the least value, that is from the largest magnitude
            return {.place = SketchPlace{.key = bin->key, .rankInBin = bin->count - 1 - rank},
                    .isNegative = true};
        rank -= bin->count;
    }
    if (rank < sketch.zeros)
        return {};
    rank -= sketch.zeros;
    for (const SketchBin& bin : sketch.positive) {
        if (rank < bin.count)
            return {.place = SketchPlace{.key = bin.key, .rankInBin = rank}};
        rank -= bin.count;
    }
    return {};
}

}  // namespace

TensorProfile collectProfile(const ValueSource& source, const Progress& progress)
{
    TensorProfile profile;
    profile.info = source.info;
    profile.batches.resize(source.info.batchCount());
    profile.channels.resize(source.info.channelCount());
    SketchCounter sketch;
    source.visit(
        [&](const Block& block) {
            const auto addMoments = [&] {
                Moments moments;
                moments.add(block.values);
                profile.moments += moments;
                profile.firstNotFinite.add(block.values, block.firstIndex, moments.extents);
                profile.batches.at(block.batch) += moments.extents;
            };
            const auto addChannels = [&] {
                forEachChannelRun(profile.info, block, [&](std::uint64_t channel, auto values) {
                    profile.channels[channel].add(values);
                });
            };
            atOnce(profile.channels.empty() ? 2 : 3, block.values.size(), [&](std::size_t part) {
                switch (part) {
                case 0: addMoments(); break;
                case 1: sketch.add(block.values); break;
                default: addChannels();
                }
            });
        },
        progress);
    profile.sketch = sketch.sketch();
    return profile;
}

void collectMore(TensorProfile& profile, const ValueSource& source,
                 std::span<const HistogramSpec> histograms, std::span<const OrderRequest> orders,
                 const Progress& progress)
{
    std::vector<GrowingHistogram> growing;
    for (const HistogramSpec& spec : histograms)
        if (profile.histogram(spec) == nullptr && std::ranges::none_of(growing, [&](const auto& g) {
                return g.histogram().spec == spec;
            }))
            growing.emplace_back(spec);

    std::vector<OrderCounter> counters;
    for (const OrderRequest& request : orders) {
        if (profile.order(request) || request.rank >= profile.extents().finite ||
            std::ranges::find(counters, request, &OrderCounter::request) != counters.end())
            continue;
        const SignedPlace place =
            request.domain == Domain::Signed
                ? signedPlace(profile.sketch, request.rank)
                : SignedPlace{.place = profile.sketch.placeOfMagnitude(request.rank)};
        if (place.place)
            counters.emplace_back(request, *place.place, place.isNegative);
        else
            profile.orders.push_back({.request = request, .value = 0.0});
    }
    if (growing.empty() && counters.empty())
        return;

    source.visit(
        [&](const Block& block) {
            atOnce(growing.size() + counters.size(), block.values.size(), [&](std::size_t part) {
                if (part < growing.size())
                    growing[part].add(block, profile);
                else
                    counters[part - growing.size()].add(block.values);
            });
        },
        progress);
    for (const GrowingHistogram& histogram : growing)
        profile.histograms.push_back(histogram.histogram());
    for (const OrderCounter& counter : counters)
        profile.orders.push_back(counter.statistic());
}

}  // namespace calibscope
