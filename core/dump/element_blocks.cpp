// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/dump/element_blocks.h"

#include "core/base/error.h"
#include "core/dump/batch_first.h"
#include "core/dump/element_decoder.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

namespace calibscope {

namespace {

constexpr std::uint64_t blockValues = std::uint64_t{1} << 18U;

std::string mebibyteText(std::uint64_t bytes)
{
    return std::to_string((bytes >> 20U) + 1) + " MiB";
}

/// Decodes bytes in the order of the visit and cuts them into blocks of one batch each.
class ElementBlocks
{
public:
    ElementBlocks(const TensorInfo& info, bool isBigEndian, const BlockVisitor& visitor,
                  const Progress& progress)
        : m_info(info),
          m_visitor(visitor),
          m_progress(progress),
          m_decoder({.kind = info.elementType.value_or(ElementKind::Float32),
                     .isBigEndian = isBigEndian}),
          m_elementBytes(
              ElementType{.kind = info.elementType.value_or(ElementKind::Float32)}.bytes()),
          m_perBatch(info.batchAxis && info.batchSize > 0
                         ? info.batchSize * std::max<std::uint64_t>(info.valuesPerSample(), 1)
                         : std::max<std::uint64_t>(info.valueCount(), 1))
    {}

    void take(std::span<const std::byte> bytes)
    {
        const std::uint64_t all = m_info.valueCount();
        for (std::uint64_t at = 0; at < bytes.size() / m_elementBytes && m_first < all;) {
            const std::uint64_t batch = m_first / m_perBatch;
            const std::uint64_t count =
                std::min({blockValues, bytes.size() / m_elementBytes - at, all - m_first,
                          (batch + 1) * m_perBatch - m_first});
            const std::span<const float> values =
                m_decoder.decode(bytes.subspan(at * m_elementBytes, count * m_elementBytes));
            m_visitor({.values = values,
                       .firstIndex = m_first,
                       .batch = batch,
                       .lost = m_decoder.lost()});
            at += count;
            m_first += count;
            m_progress.step(m_first, all, m_info.path);
        }
    }

private:
    const TensorInfo& m_info;
    const BlockVisitor& m_visitor;
    const Progress& m_progress;
    ElementDecoder m_decoder;
    std::size_t m_elementBytes;
    std::uint64_t m_perBatch;
    std::uint64_t m_first = 0;
};

}  // namespace

void visitElements(const StoredElements& stored, const TensorInfo& info,
                   const BlockVisitor& visitor, const Progress& progress)
{
    if (!info.isReadable())
        throw Error(Fault::Input, stored.who + info.unreadable.sentence);
    const std::size_t axis = static_cast<std::size_t>(info.batchAxis.value_or(0));
    const TensorInfo inOrder = batchFirst(info);
    ElementBlocks blocks(inOrder, stored.isBigEndian, visitor, progress);
    if (axis == 0) {
        stored.visit([&](std::span<const std::byte> bytes) { blocks.take(bytes); });
        return;
    }
    const std::size_t elementBytes =
        ElementType{.kind = info.elementType.value_or(ElementKind::Float32)}.bytes();
    TensorInfo recorded = info;
    recorded.shape = stored.shape;
    const std::uint64_t needed = 2 * recorded.valueCount() * elementBytes;
    if (needed > stored.memoryBytes)
        throw Error(Fault::Input, stored.who +
                                      "its batches lie along another axis than the first; "
                                      "reading them takes " +
                                      mebibyteText(needed) + " of memory, more than may be taken");
    std::vector<std::byte> whole;
    stored.visit([&](std::span<const std::byte> bytes) {
        whole.insert(whole.end(), bytes.begin(), bytes.end());
    });
    std::vector<std::byte> moved(whole.size());
    moveAxisToFront(whole, recorded.shape, axis, elementBytes, moved);
    blocks.take(moved);
}

ValueBoxes heldBoxes(const std::string& who, TensorInfo info, std::uint64_t memoryBytes,
                     const std::function<ValueSource(TensorInfo)>& sourceOf)
{
    struct Held
    {
        std::vector<float> values;
        std::optional<ValueBoxes> boxes;
    };
    info.batchAxis.reset();  // its values as they are stored
    info.batchSize = 0;
    const std::uint64_t bytes = info.valueCount() * sizeof(float);
    if (bytes > memoryBytes)
        throw Error(Fault::Input, who + "looking at parts of it takes " + mebibyteText(bytes) +
                                      " of memory, more than may be taken");
    ValueBoxes boxes{.info = info, .chunk = std::vector<std::uint64_t>(info.shape.size(), 1)};
    boxes.read = [source = sourceOf(info), held = std::make_shared<Held>()](
                     std::span<const ValueBox> asked, const Progress& progress) {
        if (!held->boxes) {
            held->values = readAll(source, progress);
            held->boxes = boxesOf(source.info, held->values);
        }
        return held->boxes->read(asked, progress);
    };
    return boxes;
}

}  // namespace calibscope
