// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/range.h"
#include "core/recipes/outcome.h"

#include <string>
#include <vector>

namespace calibscope {

/// Another tool's range for a tensor, as a reference for the thresholds of calibrators.
struct ImportedRange
{
    Range range;  ///< low at most 0, high at least 0; of channels the widest one's
    /// Of each channel, where it has a range of its own; else empty.
    std::vector<Range> channels = {};
    bool isSymmetric = true;  ///< a threshold: from minus it to it
    std::string source;       ///< tool, file and line, in words
    /// Doubts about it: "error: the range clips 12 % of the values".
    std::vector<std::string> findings;
    bool operator==(const ImportedRange&) const = default;
};

/// Id and label of the imported range.
constexpr const char* importedId = "imported";
constexpr const char* importedLabel = "imported range";

/// What computes an imported range: the calibrator `fixed`, in eight bits, symmetric-restricted for
/// a threshold, affine for two ends, with a number for each channel where it has channels. Its note
/// tells where the range is from, and the findings.
[[nodiscard]] Choice importedChoice(const ImportedRange& imported);

}  // namespace calibscope
