// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/dump/layouts/shape_survey.h"

#include "core/dump/layouts/path_words.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <utility>

namespace calibscope::layouts {

const ShapeSurvey::Found& ShapeSurvey::found() const
{
    if (m_found)
        return *m_found;
    std::map<std::uint64_t, std::size_t> lengths;
    std::ptrdiff_t lastOverFirst = 0;
    for (std::size_t index = 0; index < m_datasets.size(); ++index) {
        const DatasetFacts& dataset = m_datasets[index];
        const bool isLeftOut = !m_isLeftOut.empty() && m_isLeftOut[index];
        if (isLeftOut || dataset.shape.size() < 2 || !dataset.holdsNumbers())
            continue;
        const auto word = roleByWords(dataset.path);
        if (word && word->role == Role::Weight)
            continue;
        ++lengths[dataset.shape.front()];
        const int axis = dataset.shape.size() == 4 ? axisThatStandsOut(dataset.shape) : -1;
        if (axis > 0)
            lastOverFirst += axis == 3 ? 1 : -1;
    }
    const auto most =
        std::ranges::max_element(lengths, {}, [](const auto& entry) { return entry.second; });
    const auto [samples, tensors] =
        most == lengths.end() ? std::pair<const std::uint64_t, std::size_t>() : *most;
    return m_found.emplace(Found{
        .samples = samples, .tensorsOfSamples = tensors, .hasChannelsLast = lastOverFirst > 0});
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
