// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>

namespace calibscope {

/// How many of a dump's tensors one layout rule interpreted.
struct RuleUse
{
    std::string id;  ///< as in TensorInfo::layoutRule
    std::string title;
    std::uint64_t tensors = 0;
    std::uint64_t guesses = 0;  ///< of these, how many it had to guess

    bool operator==(const RuleUse&) const = default;
};

}  // namespace calibscope
