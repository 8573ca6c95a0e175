// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/tensor_scales.h"
#include "core/results/end_results.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace calibscope::deploy {

/// The table of a network's end in a file (resources/docs/improve.md, "The table of the end").
struct EndFile
{
    std::string modelSha256;
    std::string dumpSha256;
    std::uint64_t samples = 0;            ///< that were asked for; 0: all
    std::map<std::string, double> feeds;  ///< CheckOptions::feeds
    EndTable table;

    bool operator==(const EndFile&) const = default;
};

/// As JSON.
[[nodiscard]] std::string endFileJson(const EndFile& file);
/// Throws Error(Input) that begins with `origin` for another kind of file, a later version, and for
/// members that contradict each other.
[[nodiscard]] EndFile parseEndFile(std::string_view text, const std::string& origin);
/// Throws Error(Input) where the file was measured with another model, dump, number of samples, feeds, or
/// end (that is given and is not empty) than `wanted`.
void requireSameEnd(const EndFile& file, const EndFile& wanted, const std::string& origin);

/// Where the operand of that name has that quantization, among its choices; a new one is added, as
/// is a new operand, and an id that the known one lacks.
struct EndPosition
{
    std::size_t operand = 0;
    std::size_t choice = 0;
};
EndPosition addedChoice(EndTable& table, const EndOperand& operand, const EndChoice& choice);

/// The scales of a choice, as a model takes them.
[[nodiscard]] model::TensorScales scalesOf(const EndTable& table, const EndPosition& at);
/// SHA-256 of all scales of a mix.
[[nodiscard]] std::string mixDigest(const EndTable& table, const EndMix& mix);

}  // namespace calibscope::deploy
