// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/spread/tensor_sums.h"

#include "core/base/error.h"
#include "core/protocol/arrays.h"
#include "core/protocol/codec.h"
#include "core/spread/profile_fields.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace calibscope::spread {

namespace {

using protocol::Json;
using protocol::Where;

constexpr int sumsFormat = 1;

void addLower(std::optional<std::uint64_t>& index, std::optional<std::uint64_t> other)
{
    if (other && (!index || *other < *index))
        index = other;
}

void add(ZeroBlocks& sum, const ZeroBlocks& more)
{
    sum.runs += more.runs;
    sum.values += more.values;
    sum.otherRuns += more.otherRuns;
}

std::vector<SummedPart> holdingAll(const std::vector<TensorInfo>& infos)
{
    std::vector<SummedPart> parts;
    for (const TensorInfo& info : infos)
        parts.push_back({.info = info});
    return parts;
}

/// The numbers of an array, one after another.
class Numbers
{
public:
    Numbers(const Json& json, const Where& where)
        : m_where(where), m_numbers(protocol::readPacked(json, where))
    {}

    [[nodiscard]] bool areLeft() const { return m_next < m_numbers.size(); }
    std::uint64_t take()
    {
        if (!areLeft())
            m_where.fail("breaks off");
        return m_numbers[m_next++];
    }
    /// A number that is at most that.
    std::uint64_t take(std::uint64_t most)
    {
        const std::uint64_t number = take();
        if (number > most)
            m_where.fail("holds a number that is out of range");
        return number;
    }

private:
    const Where& m_where;
    std::vector<std::uint64_t> m_numbers;
    std::size_t m_next = 0;
};

}  // namespace

TensorSums::TensorSums(std::vector<SummedPart> parts) : m_tensorParts(std::move(parts))
{
    const SummedPart& first = m_tensorParts.front();
    m_channels.resize(first.channels > 0 ? first.channels : first.info.channelCount());
}

TensorSums::TensorSums(const std::vector<TensorInfo>& parts) : TensorSums(holdingAll(parts)) {}

void TensorSums::addBatches(PartSums& sums, std::uint64_t first, std::span<const Extents> batches)
{
    if (batches.empty())
        return;
    if (sums.batches.empty())
        sums.firstBatch = first;
    if (first < sums.firstBatch) {
        sums.batches.insert(sums.batches.begin(), sums.firstBatch - first, Extents());
        sums.firstBatch = first;
    }
    const std::uint64_t offset = first - sums.firstBatch;
    sums.batches.resize(std::max<std::size_t>(sums.batches.size(), offset + batches.size()));
    for (std::size_t batch = 0; batch < batches.size(); ++batch)
        sums.batches[offset + batch] += batches[batch];
}

void TensorSums::addTotals(const ExactPowers& powers, const std::vector<Extents>& channels,
                           std::uint64_t firstChannel, const MagnitudeSketch& sketch)
{
    m_powers += powers;
    for (std::size_t channel = 0; channel < channels.size(); ++channel)
        m_channels[firstChannel + channel] += channels[channel];
    m_sketch += sketch;
}

void TensorSums::add(std::size_t part, const UnitSums& unit)
{
    const TensorProfile& own = unit.summed.profile;
    const auto isMet = [](const Extents& batch) { return batch.values() > 0; };
    const auto first = std::ranges::find_if(own.batches, isMet);
    const auto last = std::find_if(own.batches.rbegin(), own.batches.rend(), isMet).base();
    PartSums& sums = m_parts[part];
    if (first != own.batches.end())
        addBatches(sums, static_cast<std::uint64_t>(first - own.batches.begin()),
                   std::span(first, last));
    addLower(sums.first.nan, own.firstNotFinite.nan);
    addLower(sums.first.infinite, own.firstNotFinite.infinite);
    spread::add(sums.zeroBlocks, own.zeroBlocks);
    sums.zeroEnds.insert(sums.zeroEnds.end(), unit.zeroEnds.begin(), unit.zeroEnds.end());
    addTotals(unit.summed.powers, own.channels, m_tensorParts[part].firstChannel, own.sketch);
}

void TensorSums::add(const UnitFailure& failure)
{
    const auto placeOf = [](const UnitFailure& one) { return std::tie(one.part, one.sample); };
    if (!m_failure || placeOf(failure) < placeOf(*m_failure))
        m_failure = failure;
}

std::string TensorSums::bytes() const
{
    protocol::TensorView view;
    view.profile.info = m_tensorParts.front().info;
    view.profile.channels = m_channels;
    view.profile.sketch = m_sketch;
    std::vector<std::uint64_t> numbers;
    for (const auto& [part, sums] : m_parts) {
        view.profile.batches.insert(view.profile.batches.end(), sums.batches.begin(),
                                    sums.batches.end());
        numbers.insert(numbers.end(),
                       {part, sums.firstBatch, sums.batches.size(), afterIndex(sums.first.nan),
                        afterIndex(sums.first.infinite), sums.zeroBlocks.runs,
                        sums.zeroBlocks.values, sums.zeroBlocks.otherRuns, sums.zeroEnds.size()});
        std::vector<ZeroRun> ends = sums.zeroEnds;
        std::ranges::sort(ends, {}, &ZeroRun::firstIndex);
        for (const ZeroRun& run : ends)
            numbers.insert(numbers.end(), {run.firstIndex, run.place, run.count});
    }
    Json json = {{"format", sumsFormat},
                 {"view", protocol::encode(view)},
                 {"powers", writePowers(m_powers)},
                 {"parts", protocol::writePacked(numbers)}};
    if (m_failure)
        json["failure"] = {{"part", m_failure->part},
                           {"sample", m_failure->sample},
                           {"sentence", m_failure->sentence}};
    std::string bytes;
    Json::to_cbor(json, bytes);
    return bytes;
}

void TensorSums::addBytes(std::string_view bytes, const std::string& where)
{
    const Where place{nullptr, "sums"};
    readKept(Kept::Step, where, [&] {
        const Json json = protocol::parseCbor(bytes);
        if (json.at("format").get<int>() != sumsFormat)
            place.fail("is of another format");
        const TensorProfile profile =
            protocol::decode<protocol::TensorView>(json.at("view")).profile;
        requirePossible(profile, place);
        if (profile.info.path != m_tensorParts.front().info.path ||
            profile.channels.size() != m_channels.size())
            place.fail("are of another tensor");
        std::span<const Extents> rest = profile.batches;
        Numbers numbers(json.at("parts"), place);
        while (numbers.areLeft()) {
            const std::size_t part = numbers.take(m_tensorParts.size() - 1);
            const std::uint64_t first = numbers.take(m_tensorParts[part].info.batchCount());
            const std::uint64_t count = numbers.take(std::min<std::uint64_t>(
                rest.size(), m_tensorParts[part].info.batchCount() - first));
            PartSums& sums = m_parts[part];
            addBatches(sums, first, rest.first(count));
            rest = rest.subspan(count);
            addLower(sums.first.nan, indexBefore(numbers.take()));
            addLower(sums.first.infinite, indexBefore(numbers.take()));
            sums.zeroBlocks.runs += numbers.take();
            sums.zeroBlocks.values += numbers.take();
            sums.zeroBlocks.otherRuns += numbers.take();
            for (std::uint64_t ends = numbers.take(); ends > 0; --ends) {
                ZeroRun& run = sums.zeroEnds.emplace_back();
                run.firstIndex = numbers.take();
                run.place = numbers.take();
                run.count = numbers.take();
            }
        }
        addTotals(readPowers(json.at("powers"), place), profile.channels, 0, profile.sketch);
        if (json.contains("failure"))
            add({.part = json["failure"].at("part").get<std::uint64_t>(),
                 .sample = json["failure"].at("sample").get<std::uint64_t>(),
                 .sentence = json["failure"].at("sentence").get<std::string>()});
    });
}

StoredProfile TensorSums::whole(const TensorInfo& info, std::span<const std::uint64_t> files,
                                const std::string& where) const
{
    StoredProfile stored;
    TensorProfile& profile = stored.whole.profile;
    for (std::size_t part = 0; part < m_tensorParts.size(); ++part) {
        const TensorInfo& own = m_tensorParts[part].info;
        const auto found = m_parts.find(part);
        const PartSums sums = found == m_parts.end() ? PartSums{} : found->second;
        std::vector<Extents> batches(own.batchCount());
        std::ranges::copy(sums.batches,
                          batches.begin() + static_cast<std::ptrdiff_t>(sums.firstBatch));
        std::uint64_t values = 0;
        for (const Extents& batch : batches)
            values += batch.values();
        if (values != own.countedValues())
            throw Error(Fault::Input,
                        "{}: the sums of some of its parts are missing, or are there twice; run "
                        "the step sums again",
                        where);
        const bool isShard = m_tensorParts[part].channels > 0;
        stored.parts.push_back({.file = files[part],
                                .batches = batches.size(),
                                .values = own.valueCount(),
                                .first = sums.first,
                                .firstChannel = isShard ? m_tensorParts[part].firstChannel : 0,
                                .channels = isShard ? own.channelCount() : 0});
        addBatchesOfPart(profile.batches, stored.parts, batches);
        spread::add(profile.zeroBlocks, sums.zeroBlocks);
        spread::add(profile.zeroBlocks, zeroBlocksOf(own, sums.zeroEnds));
    }
    profile.firstNotFinite = firstNotFiniteOf(info, stored.parts);
    profile.info = info;
    profile.channels = m_channels;
    profile.sketch = m_sketch;
    stored.whole.powers = m_powers;
    finishMoments(stored.whole);
    return stored;
}

}  // namespace calibscope::spread
