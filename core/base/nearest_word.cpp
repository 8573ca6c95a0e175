// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/nearest_word.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>

namespace calibscope {

namespace {

std::size_t editDistance(std::string_view from, std::string_view to)
{
    std::vector<std::size_t> before(to.size() + 1);
    std::vector<std::size_t> last(to.size() + 1);
    std::vector<std::size_t> row(to.size() + 1);
    std::iota(last.begin(), last.end(), std::size_t{0});
    for (std::size_t i = 1; i <= from.size(); ++i) {
        row[0] = i;
        for (std::size_t j = 1; j <= to.size(); ++j) {
            const std::size_t changed = last[j - 1] + (from[i - 1] == to[j - 1] ? 0 : 1);
            row[j] = std::min({last[j] + 1, row[j - 1] + 1, changed});
            if (i > 1 && j > 1 && from[i - 1] == to[j - 2] && from[i - 2] == to[j - 1])
                row[j] = std::min(row[j], before[j - 2] + 1);
        }
        std::swap(before, last);
        std::swap(last, row);
    }
    return last[to.size()];
}

}  // namespace

std::string nearestWord(std::string_view word, const std::vector<std::string>& known)
{
    constexpr std::size_t longest = 64;
    if (word.empty() || word.size() > longest)
        return {};
    std::string begun;
    for (const std::string& candidate : known)
        if (word.size() > 1 && candidate.starts_with(word) &&
            (begun.empty() || candidate.size() < begun.size()))
            begun = candidate;
    if (!begun.empty())
        return begun;
    std::string nearest;
    std::size_t least = std::max<std::size_t>(word.size() / 3, 1) + 1;
    for (const std::string& candidate : known)
        if (const std::size_t distance = editDistance(word, candidate); distance < least) {
            least = distance;
            nearest = candidate;
        }
    return nearest;
}

}  // namespace calibscope
