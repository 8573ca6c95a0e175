// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/dump/structure/tree_two.h"

#include <bit>
#include <limits>
#include <utility>
#include <vector>

namespace calibscope::structure {

namespace {

constexpr unsigned mostDepth = 32;
constexpr std::size_t nodePrefix = 6;   // signature, version, type
constexpr std::size_t nodeAround = 10;  // and the checksum

std::size_t bytesFor(std::uint64_t most)
{
    return static_cast<std::size_t>((std::bit_width(most | 1U) - 1) / 8 + 1);
}

/// How many records a node may have at a depth, and all below it together.
struct TreeTwoLevel
{
    std::uint64_t mostRecords = 0;
    std::uint64_t mostBelow = 0;
    std::size_t belowBytes = 0;  ///< width of that number; 0 for leaves, which need none
};

struct TreeTwoChild
{
    std::uint64_t address = undefinedAddress;
    std::uint64_t records = 0;
    std::uint64_t all = 0;  ///< with those below it
};

struct TreeTwoNode
{
    StoredBlock block;
    std::vector<TreeTwoChild> children;
    unsigned depth = 0;
    std::uint64_t records = 0;
    std::uint64_t all = 0;
    std::uint64_t next = 0;    ///< child, and record behind it, that come next
    std::uint64_t before = 0;  ///< records visited before it
};

class TreeTwo
{
public:
    TreeTwo(StoredBytes& file, std::uint64_t address, unsigned type) : m_file(file), m_type(type)
    {
        const std::size_t bytes = 22 + file.widths().address + file.widths().length;
        const StoredBlock header = file.take(address, bytes);
        StoredReader at = header.reader();
        at.signature("BTHD");
        header.requireChecksum(bytes);
        at.version(0);
        at.require(at.u8() == type, "a tree is of another type than it should be");
        m_nodeBytes = at.u32();
        m_recordBytes = at.u16();
        const unsigned depth = at.u16();
        at.skip(2);
        m_root.address = at.address();
        m_root.records = at.u16();
        m_root.all = at.length();
        at.require(m_recordBytes > 0 && m_nodeBytes > nodeAround && depth < mostDepth,
                   "a tree's sizes are impossible");
        at.require((m_root.address == undefinedAddress) == (m_root.all == 0),
                   "a tree has no root, or one without records");
        setLevels(at, depth);
    }

    std::uint64_t walk(const std::function<void(StoredReader)>& visit)
    {
        if (m_root.all == 0)
            return 0;
        std::vector<TreeTwoNode> nodes;
        nodes.push_back(nodeOf(m_root, static_cast<unsigned>(m_levels.size()) - 1, 0));
        std::uint64_t visited = 0;
        while (!nodes.empty()) {
            TreeTwoNode& node = nodes.back();
            const std::uint64_t index = node.next++;
            if (index > 0 && index <= node.records)
                visited += visitRecord(node, index - 1, visit);
            if (index > node.records) {
                if (visited - node.before != node.all)
                    throw Damage{node.block.place, "a tree counts its records wrong"};
                nodes.pop_back();
            } else if (node.depth > 0) {
                nodes.push_back(nodeOf(node.children[index], node.depth - 1, visited));
            }
        }
        return visited;
    }

private:
    void setLevels(const StoredReader& at, unsigned depth)
    {
        m_levels.resize(depth + 1U);
        for (unsigned level = 0; level <= depth; ++level) {
            TreeTwoLevel& one = m_levels[level];
            const std::uint64_t pointer = level == 0 ? 0 : pointerBytes(level);
            at.require(m_nodeBytes > nodeAround + pointer, "a tree's nodes are too small");
            one.mostRecords = (m_nodeBytes - nodeAround - pointer) / (m_recordBytes + pointer);
            at.require(one.mostRecords > 0, "a tree's nodes are too small");
            one.mostBelow = one.mostRecords;
            if (level == 0)
                continue;
            std::uint64_t below = 0;
            if (__builtin_mul_overflow(one.mostRecords + 1, m_levels[level - 1].mostBelow,
                                       &below) ||
                __builtin_add_overflow(below, one.mostRecords, &one.mostBelow))
                at.fail("a tree is too deep");
            one.belowBytes = bytesFor(one.mostBelow);
        }
    }

    [[nodiscard]] std::uint64_t pointerBytes(unsigned level) const
    {
        return m_file.widths().address + bytesFor(m_levels[0].mostRecords) +
               m_levels[level - 1].belowBytes;
    }

    TreeTwoNode nodeOf(const TreeTwoChild& child, unsigned depth, std::uint64_t before)
    {
        TreeTwoNode node{.block = m_file.take(child.address, m_nodeBytes),
                         .children = {},
                         .depth = depth,
                         .records = child.records,
                         .all = child.all,
                         .before = before};
        StoredReader at = node.block.reader();
        at.signature(depth == 0 ? "BTLF" : "BTIN");
        at.version(0);
        at.require(at.u8() == m_type, "a tree is of another type than it should be");
        at.require(child.records <= m_levels[depth].mostRecords,
                   "a tree's node has more records than its space holds");
        at.skip(child.records * m_recordBytes);
        for (std::uint64_t index = 0; depth > 0 && index <= child.records; ++index) {
            TreeTwoChild& one = node.children.emplace_back();
            one.address = at.address();
            one.records = at.number(bytesFor(m_levels[0].mostRecords));
            one.all = depth > 1 ? at.number(m_levels[depth - 1].belowBytes) : one.records;
        }
        node.block.requireChecksum(at.place() + 4 - node.block.place);
        return node;
    }

    std::uint64_t visitRecord(const TreeTwoNode& node, std::uint64_t record,
                              const std::function<void(StoredReader)>& visit) const
    {
        StoredReader at = node.block.reader();
        at.skip(nodePrefix + record * m_recordBytes);
        visit(at.part(m_recordBytes));
        return 1;
    }

    StoredBytes& m_file;
    unsigned m_type;
    std::uint64_t m_nodeBytes = 0;
    std::uint64_t m_recordBytes = 0;
    TreeTwoChild m_root;
    std::vector<TreeTwoLevel> m_levels;
};

}  // namespace

std::uint64_t walkTreeTwo(StoredBytes& file, std::uint64_t address, unsigned type,
                          const std::function<void(StoredReader)>& visit)
{
    return TreeTwo(file, address, type).walk(visit);
}

}  // namespace calibscope::structure
