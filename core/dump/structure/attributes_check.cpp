// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/dump/structure/fractal_heap.h"
#include "core/dump/structure/stored_type.h"
#include "core/dump/structure/structure_parts.h"
#include "core/dump/structure/tree_two.h"

#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>

namespace calibscope::structure {

namespace {

constexpr unsigned attributeNameTree = 8;
constexpr unsigned attributeOrderTree = 9;
constexpr std::uint64_t readAttributeBytes = std::uint64_t{1} << 20;  // larger ones are not read
constexpr std::uint64_t mostTextBytes = std::uint64_t{32} << 20;      // of a file's attributes

std::uint64_t padded(std::uint64_t bytes, unsigned version)
{
    return version == 1 ? (bytes + 7) / 8 * 8 : bytes;
}

class AttributeCheck
{
public:
    AttributeCheck(StructureParts& parts, const std::function<void(DamagedAttribute)>& report)
        : m_parts(parts), m_report(report)
    {}

    /// Reports an attribute whose texts are damaged; throws where the message itself is. Returns
    /// the hash of its name.
    std::uint32_t checkMessage(StoredReader at)
    {
        const unsigned version = at.version(1, 3, "an attribute");
        const unsigned flags = at.u8();
        const unsigned nameBytes = at.u16();
        const unsigned typeBytes = at.u16();
        const unsigned spaceBytes = at.u16();
        at.skip(version == 3 ? 1 : 0);
        StoredReader nameRoom = at.part(padded(nameBytes, version));
        StoredReader type = at.part(padded(typeBytes, version));
        StoredReader space = at.part(padded(spaceBytes, version));
        const std::string_view name = nameRoom.text();
        at.require(!name.empty() && name.size() + 1 == nameBytes, "an attribute's name is invalid");
        at.require(m_names.emplace(name).second, "two of its attributes have one name");
        if (version > 1 && (flags & 1U) != 0)
            type = m_parts.shared.find(message::datatype, type);
        if (version > 1 && (flags & 2U) != 0)
            space = m_parts.shared.find(message::dataspace, space);
        const StoredReader wholeType = type;
        const StoredElement element = readElement(type);
        const StoredSpace shape = readSpace(space);
        const std::uint64_t count = shape.count();
        std::uint64_t bytes = 0;
        at.require(!__builtin_mul_overflow(count, element.bytes, &bytes) && bytes <= at.left(),
                   "an attribute's values are not all there");
        if ((element.isVariable || element.isText) && bytes <= readAttributeBytes)
            checkTexts(name, StoredReader(at).part(bytes), element);
        keepValue(name, [&] {
            return bytes <= readAttributeBytes
                       ? attributeValue(m_parts, wholeType, shape, at.part(bytes))
                       : std::nullopt;
        });
        return lookup3(name);
    }

    [[nodiscard]] std::optional<Attributes> takeValues() { return std::move(m_values); }

    void checkDense(StoredReader at)
    {
        at.version(0);
        const unsigned flags = at.u8();
        at.skip((flags & 1U) != 0 ? 2 : 0);
        const std::uint64_t heapAddress = at.address();
        const std::uint64_t byName = at.address();
        const std::uint64_t byOrder = (flags & 2U) != 0 ? at.address() : undefinedAddress;
        if (heapAddress == undefinedAddress)
            return;
        const FractalHeap heap(m_parts.file, heapAddress);
        std::uint64_t lastHash = 0;
        const std::uint64_t count =
            walkTreeTwo(m_parts.file, byName, attributeNameTree, [&](StoredReader record) {
                const StoredReader id = record.part(heap.nameBytes());
                const bool isShared = (record.u8() & 2U) != 0;
                record.skip(4);
                const std::uint64_t hash = record.u32();
                const StoredBlock block =
                    isShared ? m_parts.shared.inHeap(message::attribute, id) : heap.object(id);
                record.require(checkMessage(block.reader()) == hash && hash >= lastHash,
                               "its attributes are not in the order of their names' hashes");
                lastHash = hash;
            });
        if (byOrder == undefinedAddress)
            return;
        std::optional<std::uint64_t> last;
        const std::uint64_t other =
            walkTreeTwo(m_parts.file, byOrder, attributeOrderTree, [&](StoredReader record) {
                const StoredReader id = record.part(heap.nameBytes());
                const bool isShared = (record.u8() & 2U) != 0;
                const std::uint64_t order = record.u32();
                record.require(!last || order > *last, "its attributes are not in their order");
                last = order;
                static_cast<void>(isShared ? m_parts.shared.inHeap(message::attribute, id)
                                           : heap.object(id));
            });
        at.require(count == other, "its attributes are counted in two ways");
    }

private:
    void checkTexts(std::string_view name, StoredReader references, const StoredElement& element)
    {
        try {
            while (references.left() > 0) {
                const std::uint64_t place = references.place();
                const StoredReader one = references.part(element.bytes);
                m_parts.textBytes += element.isText
                                         ? element.bytes
                                         : checkVariable(m_parts, one, element.variableBytes);
                if (m_parts.textBytes > mostTextBytes)
                    throw Damage{place, "the texts of the file's attributes take more than 32 MiB"};
                if (element.isVariableText)
                    checkText(one);
            }
        } catch (const Damage& damage) {
            m_values.reset();
            m_report({.name = std::string(name), .damage = damage});
        }
    }

    /// Only while none before it was damaged, which nobody must read.
    template <typename ReadValue>
    void keepValue(std::string_view name, const ReadValue& read)
    {
        std::optional<AttributeValue> value = m_values ? read() : std::nullopt;
        if (value)
            m_values->emplace(name, *std::move(value));
        else
            m_values.reset();
    }

    /// The library hands on what is before the first zero byte; a writer may count one at the end.
    void checkText(StoredReader reference)
    {
        const std::uint32_t bytes = reference.u32();
        const std::uint64_t collection = reference.address();
        if (bytes < 2 || collection == 0 || collection == undefinedAddress)
            return;
        const GlobalHeap::Item item = m_parts.texts.find(collection, reference.u32());
        const std::size_t zero = m_parts.file.look(item.address, bytes - 1).bytes.find('\0');
        if (zero != std::string::npos)
            throw Damage{m_parts.file.placeOf(item.address) + zero, "a zero byte is in a text"};
    }

    StructureParts& m_parts;
    const std::function<void(DamagedAttribute)>& m_report;
    std::unordered_set<std::string> m_names;
    std::optional<Attributes> m_values = Attributes();
};

}  // namespace

std::uint64_t checkVariable(StructureParts& parts, StoredReader reference,
                            std::uint64_t elementBytes)
{
    const std::uint64_t place = reference.place();
    const std::uint64_t bytes = reference.u32() * elementBytes;
    const std::uint64_t collection = reference.address();
    const std::uint32_t index = reference.u32();
    if (bytes == 0 || collection == 0 || collection == undefinedAddress)
        return 0;  // nothing
    const GlobalHeap::Item item = parts.texts.find(collection, index);
    if (item.bytes != bytes)
        throw Damage{place, "it refers to " + std::to_string(bytes) + " bytes, but " +
                                std::to_string(item.bytes) + " are there"};
    return bytes;
}

std::optional<Attributes> checkAttributes(StructureParts& parts, const ObjectHeader& header,
                                          const std::function<void(DamagedAttribute)>& report)
{
    try {
        AttributeCheck check(parts, report);
        for (const StoredMessage& one : header.messages) {
            if (one.type == message::attribute)
                check.checkMessage(parts.shared.bodyOf(one));
            else if (one.type == message::attributeInfo)
                check.checkDense(one.body);
        }
        return check.takeValues();
    } catch (const Damage& damage) {
        report({.name = {}, .damage = damage});
        return std::nullopt;
    }
}

}  // namespace calibscope::structure
