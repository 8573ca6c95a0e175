// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/spread/merged_profiles.h"

#include "core/stats/growth_epochs.h"
#include "core/stats/lossless_sketch.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <utility>

namespace calibscope::spread {

namespace {

using Places = std::map<std::uint64_t, std::size_t>;

/// A part with its batches; of those of the same samples the first has them for all.
struct ApartPart
{
    StoredPart part;
    std::span<const Extents> batches;
};

std::vector<ApartPart> partsInOrder(std::span<const StoredProfile> profiles, const Places& places)
{
    std::vector<ApartPart> parts;
    for (const StoredProfile& stored : profiles) {
        std::span<const Extents> rest = stored.whole.profile.batches;
        for (std::size_t index = 0; index < stored.parts.size(); ++index) {
            const StoredPart& part = stored.parts[index];
            const bool isFurther = index == 0 || !isOfSameSamples(part, stored.parts[index - 1]);
            parts.push_back({.part = part, .batches = rest.first(isFurther ? part.batches : 0)});
            rest = rest.subspan(parts.back().batches.size());
        }
    }
    std::ranges::stable_sort(parts, {},
                             [&](const ApartPart& part) { return places.at(part.part.file); });
    return parts;
}

void takeParts(StoredProfile& merged, const std::vector<ApartPart>& parts)
{
    TensorProfile& whole = merged.whole.profile;
    for (const ApartPart& part : parts) {
        merged.parts.push_back(part.part);
        if (!part.batches.empty())
            addBatchesOfPart(whole.batches, merged.parts, part.batches);
    }
    whole.firstNotFinite = firstNotFiniteOf(whole.info, merged.parts);
}

/// Of the whole's channels the first one that the profile holds.
std::uint64_t firstChannelOf(const StoredProfile& stored)
{
    return std::ranges::min(stored.parts, {}, &StoredPart::firstChannel).firstChannel;
}

void takeSums(StoredProfile& merged, std::span<const StoredProfile> profiles)
{
    TensorProfile& whole = merged.whole.profile;
    for (const StoredProfile& stored : profiles) {
        const TensorProfile& own = stored.whole.profile;
        merged.whole.powers += stored.whole.powers;
        const std::uint64_t first = firstChannelOf(stored);
        whole.channels.resize(std::max(whole.channels.size(), first + own.channels.size()));
        for (std::size_t channel = 0; channel < own.channels.size(); ++channel)
            whole.channels[first + channel] += own.channels[channel];
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
    Places places;
    for (const StoredProfile& stored : profiles)
        for (const StoredPart& part : stored.parts)
            places.emplace(part.file, part.file);
    return mergedProfiles(profiles, profiles.front().whole.profile.info, places);
}

MergedProfile mergedProfiles(std::span<const StoredProfile> profiles, const TensorInfo& info,
                             const Places& places)
{
    MergedProfile merged;
    TensorProfile& whole = merged.stored.whole.profile;
    if (profiles.size() == 1) {
        merged.stored = profiles.front();
        whole.info = info;
        return merged;
    }
    whole.info = info;
    takeParts(merged.stored, partsInOrder(profiles, places));
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
    return one.powers == other.powers && one.profile.batches == other.profile.batches &&
           one.profile.channels == other.profile.channels &&
           one.profile.sketch == other.profile.sketch;
}

}  // namespace calibscope::spread
