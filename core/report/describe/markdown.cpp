// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/describe/markdown.h"

#include "core/base/join.h"

namespace calibscope::markdown {

namespace {

std::string escaped(const std::string& cell)
{
    std::string text;
    for (const char letter : cell)
        text += letter == '|' ? std::string("\\|") : std::string(1, letter);
    return text;
}

std::string row(const std::vector<std::string>& cells)
{
    std::string line = "|";
    for (const std::string& cell : cells)
        line += (cell.empty() ? "" : " " + escaped(cell)) + " |";
    return line + "\n";
}

}  // namespace

std::string code(std::string_view text)
{
    return text.empty() ? std::string() : "`" + std::string(text) + "`";
}

std::string codes(const std::vector<std::string>& texts)
{
    return joinedText(texts, ", ", code);
}

std::string points(const std::vector<std::string>& texts)
{
    std::string list;
    for (const std::string& text : texts)
        list += "- " + text + "\n";
    return list;
}

std::string table(const std::vector<std::string>& head,
                  const std::vector<std::vector<std::string>>& rows)
{
    if (rows.empty())
        return {};
    std::string text = row(head) + row(std::vector<std::string>(head.size(), "---"));
    for (const std::vector<std::string>& cells : rows)
        text += row(cells);
    return text;
}

}  // namespace calibscope::markdown
