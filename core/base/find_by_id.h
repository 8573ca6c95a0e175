// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/error.h"
#include "core/base/join.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace calibscope {

/// The descriptors in the order that they ask for.
template <typename Descriptor>
std::vector<Descriptor> sortedByOrder(std::vector<Descriptor> list)
{
    std::ranges::stable_sort(list, {}, &Descriptor::order);
    return list;
}

/// The descriptor of that id. Throws Error(Usage) that lists the known ones.
template <typename Descriptor>
const Descriptor& findById(const std::vector<Descriptor>& list, std::string_view id,
                           std::string_view kind)
{
    const auto found = std::ranges::find(list, id, &Descriptor::id);
    if (found != list.end())
        return *found;
    throw Error(Fault::Usage, "there is no " + std::string(kind) + " " + std::string(id) +
                                  "; available: " + joinedText(list, ", ", &Descriptor::id));
}

}  // namespace calibscope
