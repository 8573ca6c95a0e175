// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/dump/dump_file.h"

#include <string>
#include <vector>

namespace calibscope::test {

/// How a tensor is understood, in one line: "NAME | ROLE | SHAPE | batch AXIS:SIZE | channel AXIS |
/// RULE", with "?" behind the rule for a guess; or "NAME | REASON" where it can't be read.
inline std::string lineOf(const TensorInfo& info)
{
    if (!info.isReadable())
        return info.name + " | " + info.unreadable.sentence;
    const auto axis = [](std::optional<int> number) {
        return number ? std::to_string(*number) : std::string("-");
    };
    return info.name + " | " + std::string(roleText(info.role)) + " | " + shapeText(info.shape) +
           " | batch " + axis(info.batchAxis) +
           (info.batchSize > 0 ? ":" + std::to_string(info.batchSize) : "") + " | channel " +
           axis(info.channelAxis) + " | " + info.layoutRule + (info.isGuess ? "?" : "");
}

inline std::vector<std::string> linesOf(const std::string& file, const DumpOptions& options = {})
{
    std::vector<std::string> lines;
    const auto dump = DumpFile::open(file, options);
    for (const TensorInfo& info : dump->tensors())
        lines.push_back(lineOf(info));
    return lines;
}

}  // namespace calibscope::test
