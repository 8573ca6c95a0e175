// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/report/describe/page.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Pages of a report as HTML, and the pieces that they are made of.
namespace calibscope::html {

/// The text with & < > " ' escaped, and bytes that are not UTF-8 replaced.
[[nodiscard]] std::string escaped(std::string_view text);

/// A number for people: `digits` significant digits, plain from 10^-4 to below 10^6, else with a
/// power of ten; a true minus sign; "∞", "−∞", "NaN".
[[nodiscard]] std::string number(double value, int digits = 4);
/// A whole number in groups of three.
[[nodiscard]] std::string count(std::uint64_t value);
/// A share (0..1) in percent.
[[nodiscard]] std::string percent(double share);
/// A value of that column as its style asks for it; a dash if there is none.
[[nodiscard]] std::string result(const ResultColumn& column, std::optional<double> value);

/// An SQNR as number over a bar that is graded by the limits; a dash if there is none.
[[nodiscard]] std::string sqnrBar(std::optional<double> sqnrDb, bool isExact,
                                  const SqnrLimits& limits = {});

/// Columns as a small drawing; `summary` is what a screen reader says.
[[nodiscard]] std::string sparkline(const std::vector<double>& columns, std::string_view summary);

/// The text, escaped, with leave to break the line behind dots, underscores, slashes and colons.
[[nodiscard]] std::string breakable(std::string_view text);

[[nodiscard]] std::string link(std::string_view address, std::string_view text);

/// A block of a page; nothing for one that is empty, or for paper alone.
[[nodiscard]] std::string block(const report::Page::Block& block);

/// A whole page, its style included.
[[nodiscard]] std::string page(const report::Page& page);

}  // namespace calibscope::html
