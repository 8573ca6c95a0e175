#include "core/spread/stored_profile.h"

#include "core/base/error.h"
#include "core/protocol/arrays.h"
#include "core/protocol/codec.h"
#include "core/spread/profile_fields.h"
#include "core/stats/growth_epochs.h"

#include <algorithm>
#include <utility>

namespace calibscope::spread {

namespace {

using protocol::Json;
using protocol::Where;

constexpr int profileFormat = 1;

Json writeParts(const std::vector<StoredPart>& parts)
{
    std::vector<std::uint64_t> numbers;
    for (const StoredPart& part : parts)
        numbers.insert(numbers.end(),
                       {part.file, part.batches, part.values, afterIndex(part.first.nan),
                        afterIndex(part.first.infinite)});
    return protocol::writePacked(numbers);
}

std::vector<StoredPart> readParts(const Json& json, const Where& where)
{
    constexpr std::size_t members = 5;
    const std::vector<std::uint64_t> numbers = protocol::readPacked(json, where);
    if (numbers.empty() || numbers.size() % members != 0)
        where.fail("holds no whole parts");
    std::vector<StoredPart> parts;
    for (auto part = numbers.begin(); part != numbers.end(); part += members)
        parts.push_back({.file = part[0],
                         .batches = part[1],
                         .values = part[2],
                         .first = {.nan = indexBefore(part[3]), .infinite = indexBefore(part[4])}});
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

/// What readers rely on, beyond what each member promises for itself.
void check(const StoredProfile& stored, const Where& where)
{
    const TensorProfile& profile = stored.whole.profile;
    std::uint64_t batches = 0;
    std::uint64_t values = 0;
    for (const StoredPart& part : stored.parts) {
        if (part.batches > profile.batches.size() - batches)
            where.fail("has parts with more batches than it holds");
        batches += part.batches;
        values += part.values;
    }
    requirePossible(profile, where);
    Extents whole;
    for (const Extents& batch : profile.batches)
        whole += batch;
    if (batches != profile.batches.size() || values != whole.values() ||
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
    if (json.at("format").get<int>() != profileFormat)
        where.fail("is of another format");
    StoredProfile stored;
    TensorProfile& profile = stored.whole.profile;
    profile = protocol::decode<protocol::TensorView>(json.at("view")).profile;
    stored.whole.powers = readPowers(json.at("powers"), where);
    stored.parts = readParts(json.at("parts"), where);
    check(stored, where);
    finishMoments(stored.whole);
    for (const Json& histogram : json.at("histograms"))
        profile.histograms.push_back(readHistogram(histogram, profile, where));
    return stored;
}

void addInto(std::optional<std::uint64_t>& index, std::optional<std::uint64_t> later,
             std::uint64_t before)
{
    if (!index && later)
        index = *later + before;
}

}  // namespace

void addFirst(FirstNotFinite& whole, const FirstNotFinite& part, std::uint64_t before)
{
    addInto(whole.nan, part.nan, before);
    addInto(whole.infinite, part.infinite, before);
}

void append(StoredProfile& stored, const SummedProfile& part, std::uint64_t file)
{
    TensorProfile& whole = stored.whole.profile;
    const TensorProfile& own = part.profile;
    std::uint64_t before = 0;
    for (const StoredPart& each : stored.parts)
        before += each.values;
    addFirst(whole.firstNotFinite, own.firstNotFinite, before);
    stored.parts.push_back({.file = file,
                            .batches = own.batches.size(),
                            .values = own.extents().values(),
                            .first = own.firstNotFinite});
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
    const Json json = {{"format", profileFormat},
                       {"view", protocol::encode(view)},
                       {"powers", writePowers(stored.whole.powers)},
                       {"parts", writeParts(stored.parts)},
                       {"histograms", writeHistograms(histograms)}};
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
