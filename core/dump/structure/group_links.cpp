// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/dump/structure/group_links.h"

#include "core/dump/structure/fractal_heap.h"
#include "core/dump/structure/local_heap.h"
#include "core/dump/structure/tree_one.h"
#include "core/dump/structure/tree_two.h"

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>

namespace calibscope::structure {

namespace {

constexpr unsigned nameTree = 5;
constexpr unsigned orderTree = 6;

class LinkCheck
{
public:
    LinkCheck(StoredBytes& file, const SuperblockFacts& superblock)
        : m_file(file), m_superblock(superblock)
    {}

    void checkTable(StoredReader at)
    {
        const std::uint64_t tree = at.address();
        LocalHeap heap(m_file, at.address());
        const TreeOneShape shape{.type = 0,
                                 .keyBytes = m_file.widths().length,
                                 .mostEntries = 2 * std::uint64_t{m_superblock.groupK}};
        const bool areEndsEmpty = walkTreeOne(m_file, tree, shape, [&](const TreeOneEntry& entry) {
            guard([&] {
                StoredReader low = entry.lowKey;
                StoredReader high = entry.highKey;
                m_low = heap.text(low.length());
                m_high = heap.text(high.length());
                if (entry.level == 0)
                    checkNode(entry.child, heap);
            });
        });
        // Room that is used no more is written as zeros; a count that is too small leaves the rest.
        if (!areEndsEmpty || m_isMoreThanCounted)
            m_found.doubt = "behind the last of its members there is more: some may be lost";
        if (m_found.doubt.empty())
            guard([&] { m_found.doubt = heap.oddRoom(); });
    }

    void checkMessage(StoredReader at)
    {
        at.version(1);
        const unsigned flags = at.u8();
        // Where the library refuses a link, it frees a name that it has not read yet.
        at.require((flags & ~0x1fU) == 0, "a link has unknown flags");
        const unsigned kind = (flags & 8U) != 0 ? at.u8() : 0;
        at.skip((flags & 4U) != 0 ? 8 : 0);
        const unsigned characterSet = (flags & 16U) != 0 ? at.u8() : 0;
        at.require(characterSet <= 1, "a link's name is in no known character set");
        const std::uint64_t nameBytes = at.number(std::size_t{1} << (flags & 3U));
        const std::string_view name = at.bytes(nameBytes);
        checkName(at, name);
        at.require(m_names.emplace(name).second, "two of its members have one name");
        m_lastHash = lookup3(name);
        if (kind == 0) {
            const std::uint64_t object = at.address();
            at.require(object != undefinedAddress, "a link has no target");
            m_found.members.push_back({.name = std::string(name), .object = object});
            return;
        }
        at.require(kind == 1 || kind >= 64, "a link is of no known kind");
        StoredReader value = at.part(at.u16());
        value.require(value.left() > 0, "a link has no target");
        if (kind == 64) {
            value.version(0);
            static_cast<void>(value.text());
            static_cast<void>(value.text());
        }
    }

    void checkDense(StoredReader at)
    {
        at.version(0);
        const unsigned flags = at.u8();
        at.require((flags & ~3U) == 0, "a group has unknown flags");
        at.skip((flags & 1U) != 0 ? 8 : 0);
        const std::uint64_t heapAddress = at.address();
        const std::uint64_t byName = at.address();
        const std::uint64_t byOrder = (flags & 2U) != 0 ? at.address() : undefinedAddress;
        if (heapAddress == undefinedAddress)
            return;
        const FractalHeap heap(m_file, heapAddress);
        std::uint64_t lastHash = 0;
        const std::uint64_t count = walkTreeTwo(m_file, byName, nameTree, [&](StoredReader record) {
            guard([&] {
                const std::uint64_t hash = record.u32();
                const StoredBlock link = heap.object(record.part(heap.nameBytes()));
                checkMessage(link.reader());
                record.require(hash >= lastHash && hash == m_lastHash,
                               "its members are not in the order of their names' hashes");
                lastHash = hash;
            });
        });
        if (byOrder == undefinedAddress)
            return;
        std::optional<std::uint64_t> last;
        const std::uint64_t other =
            walkTreeTwo(m_file, byOrder, orderTree, [&](StoredReader record) {
                const std::uint64_t order = record.u64();
                record.require(!last || order > *last, "its members are not in their order");
                last = order;
                static_cast<void>(heap.object(record.part(heap.nameBytes())));
            });
        at.require(count == other, "its members are counted in two ways");
    }

    /// Does a part of the work; where that finds damage, the rest goes on.
    void guard(const std::function<void()>& part)
    {
        try {
            part();
        } catch (const Damage& damage) {
            if (!m_found.damage)
                m_found.damage = damage;
        }
    }

    [[nodiscard]] GroupLinks take() { return std::move(m_found); }

private:
    static void checkName(const StoredReader& at, std::string_view name)
    {
        at.require(!name.empty() && name != "." && name.find('\0') == std::string_view::npos &&
                       name.find('/') == std::string_view::npos,
                   "a member's name is invalid");
    }

    void checkNode(std::uint64_t address, LocalHeap& heap)
    {
        const std::size_t addressBytes = m_file.widths().address;
        const std::size_t entryBytes = m_file.widths().length + addressBytes + 24;
        const StoredBlock block =
            m_file.take(address, 8 + 2 * std::uint64_t{m_superblock.leafK} * entryBytes);
        StoredReader at = block.reader();
        at.signature("SNOD");
        at.version(1);
        at.skip(1);
        const unsigned count = at.u16();
        at.require(count <= 2 * m_superblock.leafK, "a table of members exceeds its space");
        for (unsigned index = 0; index < count; ++index)
            guard([&] { checkEntry(at.part(entryBytes), heap); });
        m_isMoreThanCounted = m_isMoreThanCounted || !at.isZero();
    }

    void checkEntry(StoredReader entry, LocalHeap& heap)
    {
        std::string name = heap.take(entry.length());
        checkName(entry, name);
        // The library finds no member outside of the bounds of its node.
        const bool isInOrder =
            (!m_lastName || *m_lastName < name) && m_low < name && name <= m_high;
        m_lastName = name;
        const std::uint64_t object = entry.address();
        const std::uint32_t kind = entry.u32();
        entry.skip(4);
        entry.require(kind <= 2, "a link is of no known kind");
        entry.require(kind == 2 ? !heap.take(entry.u32()).empty() : object != undefinedAddress,
                      "a link has no target");
        if (kind != 2)
            m_found.members.push_back({.name = std::move(name), .object = object});
        // It may be the one or the other that has a damaged name: both are known, with this word.
        entry.require(isInOrder, "its members are not in the order of their names");
    }

    StoredBytes& m_file;
    const SuperblockFacts& m_superblock;
    GroupLinks m_found;
    std::optional<std::string> m_lastName;
    std::string m_low;   ///< the greatest name before the node's
    std::string m_high;  ///< the greatest of the node's
    bool m_isMoreThanCounted = false;
    std::uint32_t m_lastHash = 0;
    std::unordered_set<std::string> m_names;
};

}  // namespace

GroupLinks checkLinks(StoredBytes& file, const SuperblockFacts& superblock,
                      const ObjectHeader& header)
{
    LinkCheck check(file, superblock);
    for (const StoredMessage& one : header.messages)
        check.guard([&] {
            if (one.type == message::symbolTable)
                check.checkTable(one.body);
            else if (one.type == message::link)
                check.checkMessage(one.body);
            else if (one.type == message::linkInfo)
                check.checkDense(one.body);
        });
    return check.take();
}

}  // namespace calibscope::structure
