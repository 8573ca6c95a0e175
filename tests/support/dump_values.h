// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/dump/dump_file.h"
#include "tests/support/catch.h"

#include <string>
#include <vector>

namespace calibscope::test {

/// A visited block, copied.
struct SeenBlock
{
    std::vector<float> values;
    std::uint64_t firstIndex = 0;
    std::uint64_t batch = 0;
};

inline std::vector<SeenBlock> blocksOf(const ValueSource& source)
{
    std::vector<SeenBlock> blocks;
    source.visit(
        [&](const Block& block) {
            blocks.push_back({.values = {block.values.begin(), block.values.end()},
                              .firstIndex = block.firstIndex,
                              .batch = block.batch});
        },
        {});
    return blocks;
}

/// The values of all blocks, which come one after the other.
inline std::vector<float> valuesOf(const ValueSource& source)
{
    std::vector<float> values;
    for (const SeenBlock& block : blocksOf(source)) {
        CHECK(block.firstIndex == values.size());
        values.insert(values.end(), block.values.begin(), block.values.end());
    }
    return values;
}

/// The tensor of that path, as listed.
inline TensorInfo listed(const std::string& file, const std::string& path,
                         const DumpOptions& options = {})
{
    const auto dump = DumpFile::open(file, options);
    return dump->tensors().at(dump->indexOf(path));
}

/// The values of the tensor of that path.
inline std::vector<float> valuesIn(const std::string& file, const std::string& path)
{
    const auto dump = DumpFile::open(file);
    return valuesOf(dump->source(dump->indexOf(path)));
}

}  // namespace calibscope::test
