// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace calibscope {

/// The texts of a range's elements with the separator between them. `text` makes one of an element:
/// a function or a pointer to a member.
template <typename Range, typename Text = std::identity>
[[nodiscard]] std::string joinedText(const Range& range, std::string_view separator = ", ",
                                     const Text& text = {})
{
    std::string all;
    for (const auto& element : range) {
        if (!all.empty())
            all += separator;
        all += std::invoke(text, element);
    }
    return all;
}

}  // namespace calibscope
