// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/layers/sample_split.h"

namespace calibscope::layers {

const std::vector<std::string_view>& splitWords()
{
    static const std::vector<std::string_view> words{"alternate", "last-half", "none"};
    return words;
}

bool SampleSplit::calibrates(std::uint64_t sample) const
{
    switch (heldOut) {
    case SplitRule::Alternate: return sample % 2 == 0;
    case SplitRule::LastHalf: return sample < calibrating();
    case SplitRule::None: return true;
    }
    return true;
}

std::uint64_t SampleSplit::calibrating() const
{
    return heldOut == SplitRule::None ? samples : samples - samples / 2;
}

}  // namespace calibscope::layers
