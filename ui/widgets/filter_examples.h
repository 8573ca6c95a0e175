// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <span>

class QMenu;

namespace calibscope {

struct ChartColors;

/// A query of the tensor list and what it finds.
struct FilterExample
{
    const char* query;
    const char* meaning;  ///< not translated yet
};

[[nodiscard]] std::span<const FilterExample> filterExamples();

/// Fills a menu with the examples; an entry's data is its query.
void addFilterExamples(QMenu& menu);
/// The same of the list's flags, with their pictograms: what they mean, and the query for each.
void addFlagLegend(QMenu& menu, const ChartColors& colors);

}  // namespace calibscope
