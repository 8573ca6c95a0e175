// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <string_view>

namespace calibscope {

/// Calls `row` with the fields of each row of a CSV text as RFC 4180 has it, and the number of the
/// line, from 1, that it begins on. Lines end in LF or CRLF; empty ones and a byte order mark are
/// passed over. One row is held at a time. Throws Error(Input) that names `origin` and the line
/// where a quote is not closed, or text follows one.
void forEachCsvRow(
    std::string_view text, const std::string& origin,
    const std::function<void(std::span<const std::string> fields, std::size_t line)>& row);

}  // namespace calibscope
