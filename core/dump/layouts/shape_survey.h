// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/dump/dataset_facts.h"

#include <cstddef>
#include <cstdint>
#include <map>

namespace calibscope::layouts {

/// What the shapes of all datasets together say of each. Only tensors count that no word of their
/// path calls weights.
class ShapeSurvey
{
public:
    void add(const DatasetFacts& dataset);
    /// To be called behind the last one.
    void finish();

    /// The length that most tensors of rank 2 and more have along axis 0; 0 if there are none.
    std::uint64_t samples = 0;
    /// More tensors of rank 4 have two equal axes 1 and 2 than two equal axes 2 and 3.
    bool hasChannelsLast = false;

private:
    std::map<std::uint64_t, std::size_t> m_lengths;
    std::ptrdiff_t m_lastOverFirst = 0;
};

/// The axis of a tensor of rank 4 or 5 that stands out beside equal ones behind axis 0: 1, or the
/// last one; -1 where the lengths do not tell.
[[nodiscard]] int axisThatStandsOut(const std::vector<std::uint64_t>& shape);

}  // namespace calibscope::layouts
