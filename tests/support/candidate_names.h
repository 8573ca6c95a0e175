// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/recipes/candidates.h"

#include <string>
#include <vector>

namespace calibscope::test {

/// Candidates that are called as their ids are.
inline std::vector<CandidateName> named(const std::vector<std::string>& ids)
{
    std::vector<CandidateName> names;
    for (const std::string& id : ids)
        names.push_back({.id = id, .label = id});
    return names;
}

}  // namespace calibscope::test
