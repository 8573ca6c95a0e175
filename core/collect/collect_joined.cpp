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
void holdIfSmall(std::vector<ValueSource>& parts, std::uint64_t memoryBytes,
                 const Progress& progress)
{
    constexpr std::uint64_t share = 3;
    std::uint64_t values = 0;
    for (const ValueSource& part : parts)
        values += part.info.valueCount();
    if (values > memoryBytes / share / sizeof(float))
        return;
    for (ValueSource& part : parts)
        part = heldInMemory(part, progress);
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
    if (!spread::areOfEqualValues(one, other))
        throw Error(Fault::Input, otherFile + ":" + tensor.info.path +
                                      ": its values are not those in " + oneFile +
                                      ", though it has no batches; if it has, give --batch-axis, "
                                      "else leave one of the files out with --without");
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
                                    std::vector<ValueSource> parts,
                                    std::span<const std::uint64_t> files,
                                    std::span<const std::string> names,
                                    const std::function<CalibratorNeeds(const Extents&)>& needs,
                                    std::uint64_t memoryBytes, const Progress& progress)
{
    holdIfSmall(parts, memoryBytes, progress);
    spread::StoredProfile stored;
    TensorProfile& whole = stored.whole.profile;
    std::vector<SummedProfile> first;  // of a constant, to be compared
    for (std::size_t part = 0; part < parts.size(); ++part) {
        SummedProfile summed = collectSums(parts[part], progress);
        if (!tensor.isConstant || part == 0)
            spread::append(stored, summed, files[part]);
        else
            requireEqual(tensor, first.front(), summed, names.front(), names[part]);
        if (tensor.isConstant && part == 0)
            first.push_back(std::move(summed));
    }
    whole.info = batchFirst(tensor.info);
    spread::finishMoments(stored.whole);
    if (tensor.isConstant)
        parts.resize(1);
    const CalibratorNeeds wanted = needs(whole.extents());
    collectMore(whole, joinedSource(whole.info, std::move(parts)), wanted.histograms, wanted.orders,
                progress);
    return stored;
}

}  // namespace calibscope
