// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/collect/collect_joined.h"

#include "core/base/error.h"
#include "core/collect/at_once.h"
#include "core/collect/collect_profile.h"
#include "core/collect/held_values.h"
#include "core/dump/batch_first.h"
#include "core/spread/merged_profiles.h"

#include <algorithm>
#include <memory>
#include <utility>

namespace calibscope {

namespace {

void visitInOrder(const std::vector<ValueSource>& parts, const BlockVisitor& visitor,
                  const Progress& progress)
{
    std::uint64_t values = 0;
    std::uint64_t batches = 0;
    for (const ValueSource& part : parts) {
        part.visit(
            [&](const Block& block) {
                visitor({.values = block.values,
                         .firstIndex = values + block.firstIndex,
                         .batch = batches + block.batch,
                         .lost = block.lost});
            },
            progress);
        values += part.info.valueCount();
        batches += part.info.batchCount();
    }
}

/// Each is read once where all fit, as two passes follow.
void holdIfSmall(std::vector<PartValues>& parts, std::uint64_t memoryBytes,
                 const Progress& progress)
{
    constexpr std::uint64_t share = 3;
    std::uint64_t values = 0;
    for (const PartValues& part : parts)
        values += part.source.info.valueCount();
    if (values > memoryBytes / share / sizeof(float))
        return;
    for (PartValues& part : parts)
        part.source = heldInMemory(part.source, progress);
}

void requireEqualCopies(const spread::JoinedTensor& tensor, const PartValues& part,
                        const SummedProfile& summed, const Progress& progress)
{
    for (const PartValues& copy : part.copies)
        requireEqual(tensor, summed, collectSums(copy.source, progress), part.name, copy.name);
}

/// Parts of which some are of the same samples: their batches come to their ends together only when
/// all are read.
spread::StoredProfile collectShards(const spread::JoinedTensor& tensor,
                                    const std::vector<PartValues>& parts,
                                    const std::function<CalibratorNeeds(const Extents&)>& needs,
                                    const Progress& progress)
{
    std::vector<spread::SummedPart> places;
    std::vector<std::uint64_t> files;
    for (const PartValues& part : parts) {
        places.push_back(summedPartOf(tensor, places.size(), part.source.info));
        files.push_back(part.file);
    }
    spread::TensorSums sums(std::move(places));
    for (std::size_t part = 0; part < parts.size(); ++part) {
        const UnitSums unit = collectUnit(parts[part].source, progress);
        requireEqualCopies(tensor, parts[part], unit.summed, progress);
        sums.add(part, unit);
    }
    spread::StoredProfile stored = sums.whole(batchFirst(tensor.info), files, tensor.info.path);
    TensorProfile& whole = stored.whole.profile;
    spread::UnitCounts counts(whole, needs(whole.extents()));
    for (std::size_t part = 0; part < parts.size() && counts.parts() > 0; ++part)
        countPart(counts, parts[part].source, firstBatchOf(stored.parts, part), progress);
    counts.finish(whole, tensor.info.path);
    return stored;
}

}  // namespace

ValueSource joinedSource(TensorInfo info, std::vector<ValueSource> parts)
{
    if (parts.size() == 1)
        return std::move(parts.front());
    const bool isInMemory = std::ranges::all_of(parts, &ValueSource::isInMemory);
    const auto shared = std::make_shared<const std::vector<ValueSource>>(std::move(parts));
    return {
        .info = std::move(info),
        .visit = [shared](const BlockVisitor& visitor,
                          const Progress& progress) { visitInOrder(*shared, visitor, progress); },
        .isInMemory = isInMemory};
}

void requireEqual(const spread::JoinedTensor& tensor, const SummedProfile& one,
                  const SummedProfile& other, const std::string& oneFile,
                  const std::string& otherFile)
{
    if (spread::areOfEqualValues(one, other))
        return;
    const std::string remedy =
        tensor.isSharded    ? "though it holds the same channels of them; let the recorder write "
                              "first_channel and first_sample as they are"
        : tensor.isConstant ? "though it has no batches; if it has, give --batch-axis"
                            : "though it is of the same samples and has no first_channel; let the "
                              "recorder write it, or first_sample as it is";
    throw Error(Fault::Input, otherFile + ":" + tensor.info.path +
                                  ": its values are not those in " + oneFile + ", " + remedy +
                                  ", else leave one of the files out with --without");
}

spread::SummedPart summedPartOf(const spread::JoinedTensor& tensor, std::size_t part,
                                TensorInfo info)
{
    return {.info = std::move(info),
            .firstChannel = tensor.parts.at(part).firstChannel,
            .channels = tensor.isSharded ? tensor.info.channelCount() : 0};
}

void countPart(spread::UnitCounts& counts, const ValueSource& part, std::uint64_t firstBatch,
               const Progress& progress)
{
    part.visit(
        [&](const Block& block) {
            atOnce(counts.parts(), block.values.size(), [&](std::size_t index) {
                counts.add(index, firstBatch + block.batch, block.values);
            });
        },
        progress);
}

spread::StoredProfile collectJoined(const spread::JoinedTensor& tensor,
                                    std::vector<PartValues> parts,
                                    const std::function<CalibratorNeeds(const Extents&)>& needs,
                                    std::uint64_t memoryBytes, const Progress& progress)
{
    holdIfSmall(parts, memoryBytes, progress);
    if (tensor.isSharded)
        return collectShards(tensor, parts, needs, progress);
    spread::StoredProfile stored;
    TensorProfile& whole = stored.whole.profile;
    std::vector<ValueSource> sources;
    for (PartValues& part : parts) {
        const SummedProfile summed = collectSums(part.source, progress);
        requireEqualCopies(tensor, part, summed, progress);
        spread::append(stored, summed, part.file);
        sources.push_back(std::move(part.source));
    }
    whole.info = batchFirst(tensor.info);
    spread::finishMoments(stored.whole);
    const CalibratorNeeds wanted = needs(whole.extents());
    collectMore(whole, joinedSource(whole.info, std::move(sources)), wanted.histograms,
                wanted.orders, progress);
    return stored;
}

}  // namespace calibscope
