// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recipes/channel_choices.h"

#include "core/base/error.h"
#include "core/base/number_text.h"

#include <cstddef>

namespace calibscope {

ChannelChoices::ChannelChoices(const Choice& choice, std::uint64_t channels) : m_choice(choice)
{
    for (const auto& [id, value] : choice.settings.entries()) {
        std::vector<std::string> numbers = listedNumbers(value);
        if (numbers.size() < 2)
            continue;
        if (numbers.size() != channels)
            throw Error(Fault::Usage, "{} has {} numbers, but the tensor has {}", id,
                        numbers.size(), countText(channels, "channel", "channels"));
        m_lists.emplace_back(id, std::move(numbers));
    }
    if (!m_lists.empty())
        m_own = choice;
}

const Choice& ChannelChoices::of(std::uint64_t channel)
{
    if (m_lists.empty())
        return m_choice;
    for (const auto& [id, numbers] : m_lists)
        m_own.settings = m_own.settings.with(id, numbers.at(static_cast<std::size_t>(channel)));
    return m_own;
}

}  // namespace calibscope
