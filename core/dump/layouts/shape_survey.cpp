// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/dump/layouts/shape_survey.h"

#include "core/dump/layouts/path_words.h"

#include <algorithm>

namespace calibscope::layouts {

void ShapeSurvey::add(const DatasetFacts& dataset)
{
    if (dataset.shape.size() < 2 || !dataset.holdsNumbers())
        return;
    const auto word = roleByWords(dataset.path);
    if (word && word->role == Role::Weight)
        return;
    ++m_lengths[dataset.shape.front()];
    const int axis = dataset.shape.size() == 4 ? axisThatStandsOut(dataset.shape) : -1;
    if (axis > 0)
        m_lastOverFirst += axis == 3 ? 1 : -1;
}

void ShapeSurvey::finish()
{
    const auto most =
        std::ranges::max_element(m_lengths, {}, [](const auto& entry) { return entry.second; });
    samples = most == m_lengths.end() ? 0 : most->first;
    hasChannelsLast = m_lastOverFirst > 0;
}

int axisThatStandsOut(const std::vector<std::uint64_t>& shape)
{
    const auto areEqual = [](auto first, auto last) {
        return std::adjacent_find(first, last, std::not_equal_to{}) == last;
    };
    if (shape.size() < 4 || areEqual(shape.begin() + 1, shape.end()))
        return -1;
    if (areEqual(shape.begin() + 2, shape.end()))
        return 1;
    if (areEqual(shape.begin() + 1, shape.end() - 1))
        return static_cast<int>(shape.size()) - 1;
    return -1;
}

}  // namespace calibscope::layouts
