// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/report/describe/report_data.h"

#include <QByteArray>

#include <cstddef>
#include <functional>
#include <optional>
#include <set>

namespace calibscope {

/// The part of a line of the report; nothing where it can't be had.
using PartOfLine = std::function<std::optional<report::ReportedTensor>(std::size_t line)>;

/// The report as pages for paper: summary, ranking, a page for each tensor, statements,
/// environment, as far as the report has them. `drawn`: the lines whose tensors get a page, whose
/// number the ranking tells; each is asked for twice then. The same report gives the same pages,
/// and but for the time and the id that Qt writes the same bytes.
[[nodiscard]] QByteArray paperReport(const report::Report& report,
                                     const std::set<std::size_t>& drawn, const PartOfLine& partOf);

}  // namespace calibscope
