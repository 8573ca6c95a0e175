// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/collect/collect_profile.h"

#include "core/collect/at_once.h"
#include "core/stats/exact_powers.h"
#include "core/stats/growth_rule.h"
#include "core/stats/largest_values.h"
#include "core/stats/lossless_sketch.h"
#include "core/stats/order_counter.h"
#include "core/stats/profile.h"
#include "core/tensor/channel_runs.h"
#include "core/tensor/no_values.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace calibscope {

namespace {

/// Order statistics that a profile lacks, found in one pass: those near an end of the values by one
/// LargestValues for each end, every other one by an OrderCounter.
class OrderCollection
{
public:
    /// Adds to the profile those that the sketch knows to be zero. Requests that it holds already,
    /// that are doubled, or whose rank is not below its number of finite values are left out.
    OrderCollection(TensorProfile& profile, std::span<const OrderRequest> requests);

    /// Parts of the work, which do not touch each other.
    [[nodiscard]] std::size_t parts() const { return m_ends.size() + m_counters.size(); }
    void add(std::size_t part, std::span<const float> values);
    /// Adds what was found to the profile, when all parts have all values.
    void finish(TensorProfile& profile) const;

private:
    struct NearEnd
    {
        OrderRequest request;
        PlaceFromEnd place;
    };

    void makeEnds();

    std::vector<NearEnd> m_nearEnds;
    std::vector<LargestValues> m_ends;
    std::vector<OrderCounter> m_counters;
};

OrderCollection::OrderCollection(TensorProfile& profile, std::span<const OrderRequest> requests)
{
    const std::uint64_t finite = profile.extents().finite;
    for (auto request = requests.begin(); request != requests.end(); ++request) {
        if (profile.order(*request) || request->rank >= finite ||
            std::find(requests.begin(), request, *request) != request)
            continue;
        if (const auto place = placeFromEnd(*request, finite))
            m_nearEnds.push_back({.request = *request, .place = *place});
        else if (const auto counter = OrderCounter::of(*request, profile.sketch))
            m_counters.push_back(*counter);
        else
            profile.orders.push_back({.request = *request, .value = 0.0});
    }
    makeEnds();
}

void OrderCollection::makeEnds()
{
    for (const ValueEnd end : {ValueEnd::Magnitudes, ValueEnd::Top, ValueEnd::Bottom}) {
        std::size_t most = 0;
        for (const NearEnd& near : m_nearEnds)
            if (near.place.end == end)
                most = std::max(most, near.place.place + 1);
        if (most > 0)
            m_ends.emplace_back(end, most);
    }
}

void OrderCollection::add(std::size_t part, std::span<const float> values)
{
    if (part < m_ends.size())
        m_ends[part].add(values);
    else
        m_counters[part - m_ends.size()].add(values);
}

void OrderCollection::finish(TensorProfile& profile) const
{
    for (const LargestValues& largest : m_ends) {
        const std::vector<double> values = largest.values();
        for (const NearEnd& near : m_nearEnds)
            if (near.place.end == largest.end())
                profile.orders.push_back(
                    {.request = near.request, .value = values[near.place.place]});
    }
    for (const OrderCounter& counter : m_counters)
        profile.orders.push_back(counter.statistic());
}

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
            const Extents& batch = profile.batches.at(block.batch);
            m_rule.grow(m_histogram, batch, m_before, profile.extents());
            m_before.add(batch);
        }
        m_histogram.add(block.values);
    }
    [[nodiscard]] const Histogram& histogram() const { return m_histogram; }

private:
    const GrowthRule& m_rule;
    Histogram m_histogram;
    std::optional<std::uint64_t> m_batch;
    ValuesBefore m_before;
};

/// What follows from a lossless sketch, where there are no values.
void addFromSketch(TensorProfile& profile, const ValueSource& source,
                   std::span<const HistogramSpec> histograms, std::span<const OrderRequest> orders)
{
    const bool keepsAll = isLossless(profile.sketch);
    const std::uint64_t finite = profile.extents().finite;
    const auto fail = [&](const std::string& what) {
        throw NoValues(source.info.path, "the profile holds no " + what +
                                             "; have calib profile add it, or open the dump");
    };
    for (const HistogramSpec& spec : histograms) {
        if (profile.histogram(spec) != nullptr)
            continue;
        const GrowthRule& rule = growthRule(spec.growth);
        if (!keepsAll || rule.seesOrder)
            fail("histogram of " + histogramText(spec));
        Histogram histogram = emptyHistogram(spec);
        rule.grow(histogram, profile.extents(), {}, profile.extents());
        addAll(histogram, profile.sketch);
        profile.histograms.push_back(std::move(histogram));
    }
    for (const OrderRequest& request : orders) {
        if (request.rank >= finite || profile.order(request))
            continue;
        if (!keepsAll)
            fail("percentile at place " + std::to_string(request.rank) + " of the " +
                 std::to_string(finite) + " values " +
                 (request.domain == Domain::Magnitude ? "|x|" : "x") + " in order");
        profile.orders.push_back({.request = request, .value = orderIn(profile.sketch, request)});
    }
}

/// `addInOrder` sees each block in order.
template <typename AddInOrder>
SummedProfile sumsOf(const ValueSource& source, const AddInOrder& addInOrder,
                     const Progress& progress)
{
    SummedProfile summed;
    TensorProfile& profile = summed.profile;
    profile.info = source.info;
    profile.batches.resize(source.info.batchCount());
    profile.channels.resize(source.info.channelCount());
    Extents extents;
    SketchCounter sketch;
    source.visit(
        [&](const Block& block) {
            const auto addMoments = [&] {
                Moments moments;
                moments.add(block.values);
                for (const LostValue& lost : block.lost)
                    moments.extents.add(lost.loss);
                summed.powers.add(moments);
                extents += moments.extents;
                profile.firstNotFinite.add(block.values, block.firstIndex, moments.extents);
                profile.batches.at(block.batch) += moments.extents;
                addInOrder(block);
            };
            const auto addChannels = [&] {
                forEachChannelRun(profile.info, block, [&](std::uint64_t channel, auto values) {
                    profile.channels[channel].add(values);
                });
                forEachLostValue(profile.info, block, [&](std::uint64_t channel, ReadingLoss loss) {
                    profile.channels[channel].add(loss);
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
    profile.moments = summed.powers.moments(extents);
    profile.sketch = sketch.sketch();
    return summed;
}

}  // namespace

SummedProfile collectSums(const ValueSource& source, const Progress& progress)
{
    ZeroBlockCounter zeroBlocks(source.info);
    ConstantEndsCounter constantEnds(source.info);
    const auto addInOrder = [&](const Block& block) {
        zeroBlocks.add(block);
        constantEnds.add(block);
    };
    SummedProfile summed = sumsOf(source, addInOrder, progress);
    summed.profile.zeroBlocks = zeroBlocks.finish();
    summed.profile.constantEnds = constantEnds.finish();
    return summed;
}

UnitSums collectUnit(const ValueSource& source, const Progress& progress)
{
    ZeroEndsCounter zeroBlocks(source.info);
    UnitSums unit;
    unit.summed = sumsOf(
        source, [&](const Block& block) { zeroBlocks.add(block); }, progress);
    unit.summed.profile.zeroBlocks = zeroBlocks.finish(unit.zeroEnds);
    return unit;
}

TensorProfile collectProfile(const ValueSource& source, const Progress& progress)
{
    return source.storedProfile ? source.storedProfile() : collectSums(source, progress).profile;
}

void collectMore(TensorProfile& profile, const ValueSource& source,
                 std::span<const HistogramSpec> histograms, std::span<const OrderRequest> orders,
                 const Progress& progress)
{
    if (source.storedProfile) {
        addFromSketch(profile, source, histograms, orders);
        return;
    }
    std::vector<GrowingHistogram> growing;
    for (const HistogramSpec& spec : histograms)
        if (profile.histogram(spec) == nullptr && std::ranges::none_of(growing, [&](const auto& g) {
                return g.histogram().spec == spec;
            }))
            growing.emplace_back(spec);

    OrderCollection counted(profile, orders);
    if (growing.empty() && counted.parts() == 0)
        return;

    source.visit(
        [&](const Block& block) {
            atOnce(growing.size() + counted.parts(), block.values.size(), [&](std::size_t part) {
                if (part < growing.size())
                    growing[part].add(block, profile);
                else
                    counted.add(part - growing.size(), block.values);
            });
        },
        progress);
    for (const GrowingHistogram& histogram : growing)
        profile.histograms.push_back(histogram.histogram());
    counted.finish(profile);
}

}  // namespace calibscope
