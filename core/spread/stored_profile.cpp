// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/spread/stored_profile.h"

#include "core/base/error.h"
#include "core/protocol/arrays.h"
#include "core/protocol/codec.h"
#include "core/spread/batch_columns.h"
#include "core/spread/profile_fields.h"
#include "core/stats/growth_epochs.h"

#include <algorithm>
#include <utility>

namespace calibscope::spread {

namespace {

using protocol::Json;
using protocol::Where;

constexpr int withPlainBatches = 1;  // before batches were packed
constexpr int profileFormat = 2;
constexpr int shardedFormat = 3;  // its parts tell their channels

int formatOf(const std::vector<StoredPart>& parts)
{
    return std::ranges::any_of(parts, [](const StoredPart& part) { return part.channels > 0; })
               ? shardedFormat
               : profileFormat;
}

Json writeParts(const std::vector<StoredPart>& parts)
{
    const bool tellsChannels = formatOf(parts) == shardedFormat;
    std::vector<std::uint64_t> numbers;
    for (const StoredPart& part : parts) {
        numbers.insert(numbers.end(),
                       {part.file, part.batches, part.values, afterIndex(part.first.nan),
                        afterIndex(part.first.infinite)});
        if (tellsChannels)
            numbers.insert(numbers.end(), {part.firstChannel, part.channels});
    }
    return protocol::writePacked(numbers);
}

std::vector<StoredPart> readParts(const Json& json, bool tellsChannels, const Where& where)
{
    const std::size_t members = tellsChannels ? 7 : 5;
    const std::vector<std::uint64_t> numbers = protocol::readPacked(json, where);
    if (numbers.empty() || numbers.size() % members != 0)
        where.fail("holds no whole parts");
    std::vector<StoredPart> parts;
    for (auto part = numbers.data(); part != numbers.data() + numbers.size(); part += members)
        parts.push_back({.file = part[0],
                         .batches = part[1],
                         .values = part[2],
                         .first = {.nan = indexBefore(part[3]), .infinite = indexBefore(part[4])},
                         .firstChannel = tellsChannels ? part[5] : 0,
                         .channels = tellsChannels ? part[6] : 0});
    return parts;
}

Json writeHistograms(const std::vector<Histogram>& histograms)
{
    Json written = Json::array();
    for (const Histogram& histogram : histograms)
        written.push_back({{"growth", histogram.spec.growth},
                           {"bins", histogram.spec.bins},
                           {"domain", domainText(histogram.spec.domain)},
                           {"counts", protocol::writePacked(histogram.counts)},
                           {"left_out", histogram.leftOut}});
    return written;
}

/// The histogram's bins are those that its rule ends with over these batches.
Histogram readHistogram(const Json& json, const TensorProfile& profile, const Where& where)
{
    constexpr int mostBins = 1 << 20;
    const HistogramSpec spec{.growth = json.at("growth").get<std::string>(),
                             .bins = json.at("bins").get<int>(),
                             .domain =
                                 json.at("domain").get<std::string>() == domainText(Domain::Signed)
                                     ? Domain::Signed
                                     : Domain::Magnitude};
    if (spec.bins < 1 || spec.bins > mostBins)
        where.fail("holds a histogram of a number of bins that is out of range");
    Histogram histogram = growthEpochs(spec, profile.batches, profile.extents()).back().bins;
    std::vector<std::uint64_t> counts = protocol::readPacked(json.at("counts"), where);
    if (counts.size() != histogram.counts.size())
        where.fail("holds a histogram with other bins than its batches give");
    histogram.counts = std::move(counts);
    histogram.leftOut = json.at("left_out").get<std::uint64_t>();
    if (histogram.total() + histogram.leftOut != profile.extents().finite)
        where.fail("holds a histogram of another number of values");
    return histogram;
}

/// Parts of the same samples must have each of the channels once, in order, and the same batches.
void checkChannels(const std::vector<StoredPart>& parts, std::uint64_t channels, const Where& where)
{
    std::uint64_t next = 0;  // channel of these samples
    for (std::size_t index = 0; index < parts.size(); ++index) {
        const StoredPart& part = parts[index];
        if (part.channels == 0 || part.channels > channels - next || part.firstChannel != next ||
            part.values % part.channels != 0)
            where.fail("has parts of other channels than it holds");
        if (next > 0 &&
            (part.batches != parts[index - 1].batches ||
             part.values / part.channels != parts[index - 1].values / parts[index - 1].channels))
            where.fail("has parts of the same samples with other batches or values");
        next = next + part.channels == channels ? 0 : next + part.channels;
    }
    if (next != 0)
        where.fail("lacks channels of its last samples");
}

/// What readers rely on, beyond what each member promises for itself.
void check(const StoredProfile& stored, const Where& where)
{
    const TensorProfile& profile = stored.whole.profile;
    if (formatOf(stored.parts) == shardedFormat)
        checkChannels(stored.parts, profile.info.channelCount(), where);
    std::uint64_t batches = 0;
    std::uint64_t values = 0;
    for (std::size_t part = 0; part < stored.parts.size(); ++part) {
        values += stored.parts[part].values;
        if (part > 0 && isOfSameSamples(stored.parts[part], stored.parts[part - 1]))
            continue;
        if (stored.parts[part].batches > profile.batches.size() - batches)
            where.fail("has parts with more batches than it holds");
        batches += stored.parts[part].batches;
    }
    requirePossible(profile, where);
    Extents whole;
    for (const Extents& batch : profile.batches)
        whole += batch;
    const std::optional<TensorMask>& mask = profile.info.mask;
    if (batches != profile.batches.size() || values != (mask ? mask->of : whole.values()) ||
        (mask && mask->counted != whole.values()) ||
        profile.channels.size() != profile.info.channelCount() ||
        stored.whole.powers.count() != whole.finite || profile.sketch.count() != whole.finite)
        where.fail("contradicts itself: its parts, batches, channels, sums and sketch are not of "
                   "the same values");
    for (const OrderStatistic& order : profile.orders)
        if (order.request.rank >= whole.finite || !isSingle(order.value))
            where.fail("holds a value at a place that there is not");
}

StoredProfile readStored(const Json& json, const Where& where)
{
    const int format = json.at("format").get<int>();
    if (format < withPlainBatches || format > shardedFormat)
        where.fail("is of another format");
    StoredProfile stored;
    TensorProfile& profile = stored.whole.profile;
    profile = protocol::decode<protocol::TensorView>(json.at("view")).profile;
    if (format != withPlainBatches)
        profile.batches = readBatches(json.at("batches"), Where{&where, "batches"});
    stored.whole.powers = readPowers(json.at("powers"), where);
    stored.parts = readParts(json.at("parts"), format == shardedFormat, where);
    check(stored, where);
    finishMoments(stored.whole);
    for (const Json& histogram : json.at("histograms"))
        profile.histograms.push_back(readHistogram(histogram, profile, where));
    return stored;
}

/// Index in the samples of the part, all channels of them, of a value of the part.
std::uint64_t indexAmongAllChannels(const TensorInfo& info, const StoredPart& part,
                                    std::uint64_t index)
{
    const std::uint64_t stride = info.channelStride();
    const std::uint64_t perRow = stride * part.channels;
    if (perRow == 0)
        return index;
    const std::uint64_t row = index / perRow;
    return (row * info.channelCount() + part.firstChannel) * stride + index % perRow;
}

}  // namespace

bool isOfSameSamples(const StoredPart& part, const StoredPart& before)
{
    return part.channels > 0 && before.channels > 0 &&
           part.firstChannel == before.firstChannel + before.channels;
}

void addBatchesOfPart(std::vector<Extents>& batches, std::span<const StoredPart> parts,
                      std::span<const Extents> own)
{
    const bool isFurther =
        parts.size() < 2 || !isOfSameSamples(parts.back(), parts[parts.size() - 2]);
    if (isFurther)
        batches.resize(batches.size() + own.size());
    const auto first = batches.end() - static_cast<std::ptrdiff_t>(own.size());
    for (std::size_t batch = 0; batch < own.size(); ++batch)
        first[static_cast<std::ptrdiff_t>(batch)] += own[batch];
}

std::uint64_t firstBatchOf(std::span<const StoredPart> parts, std::size_t part)
{
    std::uint64_t batches = 0;
    for (std::size_t later = 1; later <= part; ++later)
        if (!isOfSameSamples(parts[later], parts[later - 1]))
            batches += parts[later - 1].batches;
    return batches;
}

FirstNotFinite firstNotFiniteOf(const TensorInfo& info, std::span<const StoredPart> parts)
{
    FirstNotFinite whole;
    std::uint64_t before = 0;   // values of earlier samples
    std::uint64_t samples = 0;  // values of these samples, as far as they were met
    // A part keeps its values' order in the whole: the least index of each is all it takes.
    const auto take = [&](std::optional<std::uint64_t>& least, const StoredPart& part,
                          std::optional<std::uint64_t> own) {
        if (!own)
            return;
        const std::uint64_t index = before + indexAmongAllChannels(info, part, *own);
        least = std::min(least.value_or(index), index);
    };
    for (std::size_t index = 0; index < parts.size(); ++index) {
        const StoredPart& part = parts[index];
        if (index > 0 && !isOfSameSamples(part, parts[index - 1]))
            before += std::exchange(samples, 0);
        take(whole.nan, part, part.first.nan);
        take(whole.infinite, part, part.first.infinite);
        samples += part.values;
    }
    return whole;
}

void append(StoredProfile& stored, const SummedProfile& part, std::uint64_t file)
{
    TensorProfile& whole = stored.whole.profile;
    const TensorProfile& own = part.profile;
    stored.parts.push_back({.file = file,
                            .batches = own.batches.size(),
                            .values = own.info.mask ? own.info.mask->of : own.extents().values(),
                            .first = own.firstNotFinite});
    whole.firstNotFinite = firstNotFiniteOf(whole.info, stored.parts);
    stored.whole.powers += part.powers;
    whole.batches.insert(whole.batches.end(), own.batches.begin(), own.batches.end());
    whole.channels.resize(own.channels.size());
    for (std::size_t channel = 0; channel < own.channels.size(); ++channel)
        whole.channels[channel] += own.channels[channel];
    whole.sketch += own.sketch;
    whole.zeroBlocks.runs += own.zeroBlocks.runs;
    whole.zeroBlocks.values += own.zeroBlocks.values;
    whole.zeroBlocks.otherRuns += own.zeroBlocks.otherRuns;
}

void finishMoments(SummedProfile& summed)
{
    Extents extents;
    for (const Extents& batch : summed.profile.batches)
        extents += batch;
    summed.profile.moments = summed.powers.moments(extents);
}

std::string bytesOf(const StoredProfile& stored)
{
    protocol::TensorView view;
    view.profile = stored.whole.profile;
    // In one order, whatever the order in which they were found.
    std::ranges::sort(view.profile.orders, {}, [](const OrderStatistic& order) {
        return std::pair(order.request.domain, order.request.rank);
    });
    std::vector<Histogram> histograms = std::exchange(view.profile.histograms, {});
    std::ranges::sort(histograms, {}, &Histogram::spec);
    const std::vector<Extents> batches = std::exchange(view.profile.batches, {});
    const Json json = {
        {"format", formatOf(stored.parts)},  {"view", protocol::encode(view)},
        {"batches", writeBatches(batches)},  {"powers", writePowers(stored.whole.powers)},
        {"parts", writeParts(stored.parts)}, {"histograms", writeHistograms(histograms)}};
    std::string bytes;
    Json::to_cbor(json, bytes);
    return bytes;
}

StoredProfile storedProfileFrom(std::string_view bytes, const std::string& where)
{
    return readKept(Kept::Profile, where, [&] {
        return readStored(protocol::parseCbor(bytes), Where{nullptr, "profile"});
    });
}

}  // namespace calibscope::spread
