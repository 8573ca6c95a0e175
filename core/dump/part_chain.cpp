// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/dump/part_chain.h"

#include "core/base/error.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace calibscope {

namespace {

/// Values of a batch; the last one may have fewer.
std::uint64_t valuesPerBatch(const TensorInfo& info)
{
    if (!info.batchAxis || info.batchSize == 0)
        return info.valueCount();
    return std::min(info.batchSize, info.sampleCount()) * info.valuesPerSample();
}

/// Hands a part's block on as blocks of the whole, none of which exceeds a batch of it.
void handOn(const Block& block, std::uint64_t offset, std::uint64_t perBatch,
            std::size_t elementBytes, const BlockVisitor& visitor)
{
    std::span<const float> rest = block.values;
    std::vector<LostValue> lost(block.lost.begin(), block.lost.end());
    for (std::uint64_t first = offset + block.firstIndex; !rest.empty();) {
        const std::uint64_t batch = first / perBatch;
        const std::uint64_t count =
            std::min<std::uint64_t>(rest.size(), (batch + 1) * perBatch - first);
        const auto behind = std::ranges::lower_bound(lost, count, {}, &LostValue::place);
        const std::uint64_t before = (block.values.size() - rest.size()) * elementBytes;
        visitor({.values = rest.first(count),
                 .firstIndex = first,
                 .batch = batch,
                 .lost = std::span(lost.begin(), behind),
                 .place = block.place ? std::optional(*block.place + before) : std::nullopt});
        lost.erase(lost.begin(), behind);
        for (LostValue& one : lost)
            one.place -= static_cast<std::uint32_t>(count);
        rest = rest.subspan(count);
        first += count;
    }
}

/// A part as a tensor without batches; not all of it where the whole is cut.
TensorInfo partOf(const TensorInfo& whole, const DatasetFacts& part, std::uint64_t samplesLeft)
{
    TensorInfo info;
    info.name = whole.name;
    info.path = part.path;
    info.elementType = whole.elementType;
    info.storedType = whole.storedType;
    info.shape = part.shape;
    info.shape.front() = std::min(info.shape.front(), samplesLeft);
    return info;
}

/// The parts of a tensor as boxes, those that were read from last.
class PartBoxes
{
public:
    PartBoxes(PartReader reader, std::vector<std::shared_ptr<const DatasetFacts>> parts,
              TensorInfo info)
        : m_reader(std::move(reader)), m_parts(std::move(parts)), m_info(std::move(info))
    {
        for (const std::shared_ptr<const DatasetFacts>& part : m_parts)
            m_ends.push_back((m_ends.empty() ? 0 : m_ends.back()) + part->shape.front());
    }

    [[nodiscard]] std::span<const float> read(std::span<const ValueBox> boxes,
                                              const Progress& progress)
    {
        m_values.clear();
        for (const ValueBox& box : boxes)
            readBox(box, progress);
        return m_values;
    }

private:
    /// Part by part: along axis 0 their values follow each other.
    void readBox(const ValueBox& box, const Progress& progress)
    {
        const std::uint64_t end = box.start.front() + box.count.front();
        auto part = static_cast<std::size_t>(std::ranges::upper_bound(m_ends, box.start.front()) -
                                             m_ends.begin());
        for (std::uint64_t first = box.start.front(); first < end; ++part) {
            const std::uint64_t begin = part == 0 ? 0 : m_ends[part - 1];
            ValueBox inPart = box;
            inPart.start.front() = first - begin;
            inPart.count.front() = std::min(end, m_ends[part]) - first;
            const std::span<const float> values =
                boxesOfPart(part).read(std::span(&inPart, 1), progress);
            m_values.insert(m_values.end(), values.begin(), values.end());
            first += inPart.count.front();
        }
    }

    ValueBoxes& boxesOfPart(std::size_t part)
    {
        if (const auto known = m_open.find(part); known != m_open.end())
            return known->second;
        if (m_open.size() >= m_reader.mostOpen)
            m_open.clear();
        const DatasetFacts& facts = *m_parts[part];
        return m_open
            .emplace(part, m_reader.boxes(part, partOf(m_info, facts, facts.shape.front())))
            .first->second;
    }

    PartReader m_reader;
    std::vector<std::shared_ptr<const DatasetFacts>> m_parts;
    TensorInfo m_info;
    std::vector<std::uint64_t> m_ends;  ///< along axis 0, by part
    std::map<std::size_t, ValueBoxes> m_open;
    std::vector<float> m_values;
};

}  // namespace

ValueBoxes boxesOfParts(PartReader reader, std::vector<std::shared_ptr<const DatasetFacts>> parts,
                        TensorInfo info)
{
    ValueBoxes boxes{.info = info, .chunk = parts.front()->chunk};
    boxes.chunk.resize(info.shape.size(), 1);
    boxes.elementBytes =
        ElementType{.kind = info.elementType.value_or(ElementKind::Float32)}.bytes();
    const auto all =
        std::make_shared<PartBoxes>(std::move(reader), std::move(parts), std::move(info));
    boxes.read = [all](std::span<const ValueBox> asked, const Progress& progress) {
        return all->read(asked, progress);
    };
    return boxes;
}

void visitParts(const PartReader& reader,
                std::span<const std::shared_ptr<const DatasetFacts>> parts, const TensorInfo& info,
                const SampleRange& range, const BlockVisitor& visitor, const Progress& progress)
{
    if (info.batchAxis.value_or(0) != 0)
        throw Error(Fault::Usage, info.name + ": the values of its " +
                                      std::to_string(parts.size()) +
                                      " datasets follow each other along axis 0, so that axis " +
                                      std::to_string(*info.batchAxis) +
                                      " cannot be that of the batches; open the file with "
                                      "--no-merge");
    const std::uint64_t perBatch = valuesPerBatch(info);
    const std::size_t elementBytes =
        ElementType{.kind = info.elementType.value_or(ElementKind::Float32)}.bytes();
    std::uint64_t samplesLeft = info.shape.front();
    std::uint64_t offset = 0;
    for (std::size_t part = 0; part < parts.size(); ++part) {
        const TensorInfo piece = partOf(info, *parts[part], samplesLeft);
        if (piece.valueCount() == 0)
            continue;
        const std::uint64_t samples = piece.shape.front();
        const SampleRange ofPart = range.within(info.shape.front() - samplesLeft, samples);
        const Progress ofWhole({}, [&](std::uint64_t done, std::uint64_t, std::string_view what) {
            progress.step(offset + done, info.valueCount(), what);
        });
        const auto visitPart = [&](const Block& block) {
            handOn(block, offset, perBatch, elementBytes, visitor);
        };
        if (ofPart.first < ofPart.end)
            reader.visit(part, piece, ofPart, visitPart, ofWhole);
        offset += piece.valueCount();
        samplesLeft -= samples;
    }
}

std::uint64_t samplesPerCut(std::span<const std::shared_ptr<const DatasetFacts>> parts,
                            const TensorInfo& info)
{
    const std::uint64_t length = parts.front()->shape.empty() ? 0 : parts.front()->shape.front();
    const auto areAlike = [&](const std::shared_ptr<const DatasetFacts>& part) {
        return part->shape.front() == length;
    };
    return info.batchAxis == 0 && length > 0 &&
                   std::ranges::all_of(parts.first(parts.size() - 1), areAlike)
               ? length
               : 0;
}

}  // namespace calibscope
