#include "core/report/tables/column_choice.h"

#include "core/base/error.h"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <string>

namespace calibscope {

namespace {

std::size_t indexOf(std::span<const Column> all, std::string_view id)
{
    const auto found = std::ranges::find(all, id, &Column::id);
    if (found != all.end())
        return static_cast<std::size_t>(found - all.begin());
    std::string known;
    for (const Column& column : all)
        known += (known.empty() ? "" : ", ") + column.id;
    throw Error(Fault::Usage, "there is no column " + std::string(id) + "; available: " + known);
}

}  // namespace

ColumnChoice::ColumnChoice(std::span<const Column> all, std::string_view ids)
{
    if (ids.empty()) {
        m_indices.resize(all.size());
        std::iota(m_indices.begin(), m_indices.end(), std::size_t{0});
    }
    while (!ids.empty()) {
        const std::size_t end = std::min(ids.find(','), ids.size());
        m_indices.push_back(indexOf(all, ids.substr(0, end)));
        ids.remove_prefix(std::min(end + 1, ids.size()));
    }
    std::ranges::transform(m_indices, std::back_inserter(m_columns),
                           [&](std::size_t index) { return all[index]; });
}

std::vector<Cell> ColumnChoice::cells(std::span<const Cell> row) const
{
    std::vector<Cell> chosen;
    std::ranges::transform(m_indices, std::back_inserter(chosen),
                           [&](std::size_t index) { return row[index]; });
    return chosen;
}

}  // namespace calibscope
