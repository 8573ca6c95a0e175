// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/dump/structure/tree_one.h"

#include <vector>

namespace calibscope::structure {

namespace {

constexpr unsigned mostLevels = 32;

/// A node that is being visited.
struct TreeOneNode
{
    StoredBlock block;
    StoredReader rest;  ///< from the next entry's low key on
    unsigned level = 0;
    unsigned entriesLeft = 0;
};

TreeOneNode readNode(StoredBytes& file, std::uint64_t address, const TreeOneShape& shape)
{
    const std::uint64_t bytes = 8 + 2 * file.widths().address +
                                shape.mostEntries * file.widths().address +
                                (shape.mostEntries + 1) * shape.keyBytes;
    TreeOneNode node{.block = file.take(address, bytes), .rest = {{}, 0, {}}};
    StoredReader at = node.block.reader();
    at.signature("TREE");
    at.require(at.u8() == shape.type, "a tree is of another type than it should be");
    node.level = at.u8();
    node.entriesLeft = at.u16();
    at.require(node.entriesLeft <= shape.mostEntries,
               "a tree's node has more entries than its space holds");
    at.require(node.level < mostLevels, "a tree is too deep");
    at.skip(2 * file.widths().address);
    node.rest = at;
    return node;
}

}  // namespace

bool walkTreeOne(StoredBytes& file, std::uint64_t address, const TreeOneShape& shape,
                 const std::function<void(const TreeOneEntry&)>& visit)
{
    std::vector<TreeOneNode> nodes;
    nodes.reserve(mostLevels + 1);  // readers point into the blocks
    nodes.push_back(readNode(file, address, shape));
    bool areEndsEmpty = true;
    while (!nodes.empty()) {
        TreeOneNode& node = nodes.back();
        if (node.entriesLeft == 0) {
            node.rest.skip(shape.keyBytes);
            areEndsEmpty = areEndsEmpty && node.rest.isZero();
            nodes.pop_back();
            continue;
        }
        --node.entriesLeft;
        const StoredReader lowKey = node.rest.part(shape.keyBytes);
        const std::uint64_t child = node.rest.address();
        StoredReader ahead = node.rest;
        const TreeOneEntry entry{.level = node.level,
                                 .lowKey = lowKey,
                                 .child = child,
                                 .highKey = ahead.part(shape.keyBytes)};
        visit(entry);
        if (entry.level == 0)
            continue;
        TreeOneNode below = readNode(file, child, shape);
        if (below.level + 1 != entry.level)
            throw Damage{below.block.place, "a tree's node is of another level than it should be"};
        nodes.push_back(std::move(below));
    }
    return areEndsEmpty;
}

}  // namespace calibscope::structure
