// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace calibscope::layers {

/// Samples that judge the remedies made from the others.
enum class SplitRule {
    Alternate,  ///< samples 1, 3, 5, ...
    LastHalf,   ///< for recordings whose neighbours are alike
    None,       ///< all samples calibrate: nothing is judged
};

/// The words of the command line, in the order of SplitRule: "alternate", "last-half", "none".
[[nodiscard]] const std::vector<std::string_view>& splitWords();

/// The samples of a layer, in halves. Where they are not equal the first one is larger; a single one is never
/// held out.
struct SampleSplit
{
    SplitRule heldOut = SplitRule::Alternate;
    std::uint64_t samples = 0;

    [[nodiscard]] bool calibrates(std::uint64_t sample) const;
    [[nodiscard]] std::uint64_t calibrating() const;
    [[nodiscard]] std::uint64_t judging() const { return samples - calibrating(); }
};

}  // namespace calibscope::layers
