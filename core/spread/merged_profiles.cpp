#include "core/spread/merged_profiles.h"

#include "core/stats/growth_epochs.h"
#include "core/stats/lossless_sketch.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <utility>

namespace calibscope::spread {

namespace {

/// A part with its batches.
struct ApartPart
{
    StoredPart part;
    std::span<const Extents> batches;
};

std::vector<ApartPart> partsInOrder(std::span<const StoredProfile> profiles)
{
    std::vector<ApartPart> parts;
    for (const StoredProfile& stored : profiles) {
        std::span<const Extents> rest = stored.whole.profile.batches;
        for (const StoredPart& part : stored.parts) {
            parts.push_back({.part = part, .batches = rest.first(part.batches)});
            rest = rest.subspan(part.batches);
        }
    }
    std::ranges::stable_sort(parts, {}, [](const ApartPart& part) { return part.part.file; });
    return parts;
}

void takeParts(StoredProfile& merged, const std::vector<ApartPart>& parts)
{
    TensorProfile& whole = merged.whole.profile;
    std::uint64_t before = 0;
    for (const ApartPart& part : parts) {
        addFirst(whole.firstNotFinite, part.part.first, before);
        before += part.part.values;
        merged.parts.push_back(part.part);
        whole.batches.insert(whole.batches.end(), part.batches.begin(), part.batches.end());
    }
}

void takeSums(StoredProfile& merged, std::span<const StoredProfile> profiles)
{
    TensorProfile& whole = merged.whole.profile;
    for (const StoredProfile& stored : profiles) {
        const TensorProfile& own = stored.whole.profile;
        merged.whole.powers += stored.whole.powers;
        whole.channels.resize(own.channels.size());
        for (std::size_t channel = 0; channel < own.channels.size(); ++channel)
            whole.channels[channel] += own.channels[channel];
        whole.sketch += own.sketch;
        whole.zeroBlocks.runs += own.zeroBlocks.runs;
        whole.zeroBlocks.values += own.zeroBlocks.values;
        whole.zeroBlocks.otherRuns += own.zeroBlocks.otherRuns;
    }
    finishMoments(merged.whole);
}

/// The profiles' counts added, if all were counted in these bins and never moved.
std::optional<Histogram> addedCounts(const Histogram& bins, std::span<const StoredProfile> profiles)
{
    Histogram sum = bins;
    for (const StoredProfile& stored : profiles) {
        const TensorProfile& own = stored.whole.profile;
        const Histogram* histogram = own.histogram(bins.spec);
        if (histogram == nullptr)
            return std::nullopt;
        const std::vector<GrowthEpoch> epochs = growthEpochs(bins.spec, own.batches, own.extents());
        if (epochs.size() != 1 || epochs.front().bins != bins)
            return std::nullopt;
        std::ranges::transform(sum.counts, histogram->counts, sum.counts.begin(), std::plus{});
        sum.leftOut += histogram->leftOut;
    }
    return sum;
}

std::optional<Histogram> mergedHistogram(const HistogramSpec& spec, const TensorProfile& whole,
                                         std::span<const StoredProfile> profiles)
{
    const std::vector<GrowthEpoch> epochs = growthEpochs(spec, whole.batches, whole.extents());
    if (epochs.size() != 1)
        return std::nullopt;
    if (std::optional<Histogram> added = addedCounts(epochs.front().bins, profiles))
        return added;
    if (!isLossless(whole.sketch))
        return std::nullopt;
    Histogram counted = epochs.front().bins;
    addAll(counted, whole.sketch);
    return counted;
}

std::vector<HistogramSpec> specsIn(std::span<const StoredProfile> profiles)
{
    std::vector<HistogramSpec> specs;
    for (const StoredProfile& stored : profiles)
        for (const Histogram& histogram : stored.whole.profile.histograms)
            if (std::ranges::find(specs, histogram.spec) == specs.end())
                specs.push_back(histogram.spec);
    return specs;
}

}  // namespace

MergedProfile mergedProfiles(std::span<const StoredProfile> profiles)
{
    if (profiles.size() == 1)
        return {.stored = profiles.front(), .leftOut = {}};
    MergedProfile merged;
    TensorProfile& whole = merged.stored.whole.profile;
    whole.info = profiles.front().whole.profile.info;
    takeParts(merged.stored, partsInOrder(profiles));
    takeSums(merged.stored, profiles);
    for (const HistogramSpec& spec : specsIn(profiles)) {
        if (std::optional<Histogram> histogram = mergedHistogram(spec, whole, profiles))
            whole.histograms.push_back(*std::move(histogram));
        else
            merged.leftOut.push_back("the histogram of " + histogramText(spec));
    }
    const bool hasOrders = std::ranges::any_of(
        profiles, [](const StoredProfile& stored) { return !stored.whole.profile.orders.empty(); });
    if (hasOrders && !isLossless(whole.sketch))
        merged.leftOut.emplace_back("the percentiles");
    return merged;
}

bool areOfEqualValues(const SummedProfile& one, const SummedProfile& other)
{
    return one.powers == other.powers && one.profile.extents() == other.profile.extents() &&
           one.profile.channels == other.profile.channels &&
           one.profile.sketch == other.profile.sketch;
}

}  // namespace calibscope::spread
