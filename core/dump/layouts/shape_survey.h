// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/dump/dataset_facts.h"

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace calibscope::layouts {

/// Conclusions on each dataset from the shapes of all datasets of a file. Only tensors count that no
/// word of their path calls weights. It looks at them when it is first asked, which it seldom is; by
/// one thread.
class ShapeSurvey
{
public:
    /// The datasets must stay; some may be left out.
    explicit ShapeSurvey(std::span<const DatasetFacts> datasets, std::vector<bool> isLeftOut = {})
        : m_datasets(datasets), m_isLeftOut(std::move(isLeftOut))
    {}

    /// The length that most tensors of rank 2 and more have along axis 0; 0 if there are none.
    [[nodiscard]] std::uint64_t samples() const { return found().samples; }
    /// How many have that length.
    [[nodiscard]] std::size_t tensorsOfSamples() const { return found().tensorsOfSamples; }
    /// More tensors of rank 4 have two equal axes 1 and 2 than two equal axes 2 and 3.
    [[nodiscard]] bool hasChannelsLast() const { return found().hasChannelsLast; }

private:
    struct Found
    {
        std::uint64_t samples = 0;
        std::size_t tensorsOfSamples = 0;
        bool hasChannelsLast = false;
    };
    [[nodiscard]] const Found& found() const;

    std::span<const DatasetFacts> m_datasets;
    std::vector<bool> m_isLeftOut;
    mutable std::optional<Found> m_found;
};

/// The axis of a tensor of rank 4 or 5 that stands out beside equal ones behind axis 0: 1, or the
/// last one; -1 where the lengths do not tell.
[[nodiscard]] int axisThatStandsOut(const std::vector<std::uint64_t>& shape);

}  // namespace calibscope::layouts
