// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/recipes/outcome.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace calibscope {

/// A choice whose settings may have a number for each channel (Parameter::isPerChannel), as it is
/// run on single channels.
class ChannelChoices
{
public:
    /// Throws Error(Usage) where a setting has a number for each of other than so many channels.
    ChannelChoices(const Choice& choice, std::uint64_t channels);

    /// The choice with that channel's numbers. Lives until the next call, and as long as the one
    /// that was given. Requires a channel below their count.
    [[nodiscard]] const Choice& of(std::uint64_t channel);

private:
    const Choice& m_choice;
    std::vector<std::pair<std::string, std::vector<std::string>>> m_lists;  ///< by setting
    Choice m_own;  ///< of a channel; meaningless without lists
};

}  // namespace calibscope
