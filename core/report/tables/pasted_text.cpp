// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/tables/pasted_text.h"

#include "core/base/number_text.h"
#include "core/base/utf8.h"

#include <algorithm>

namespace calibscope {

namespace {

/// A spreadsheet takes it for a formula, which may reach other files and programs.
bool isFormula(std::string_view text)
{
    return text.size() > 1 && std::string_view("=+-@").find(text.front()) != text.npos &&
           !parseNumber(text);
}

}  // namespace

std::string pastedText(std::string_view text)
{
    std::string shown = (isFormula(text) ? "'" : "") + validUtf8(text);
    std::ranges::replace_if(
        shown, [](char byte) { return byte == '\t' || byte == '\n' || byte == '\r'; }, ' ');
    return shown;
}

}  // namespace calibscope
