// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace calibscope::docs {

/// A command that a document shows, and the output it shows for it.
struct Example
{
    std::string command;
    std::vector<std::string> output;  ///< lines; "..." stands for any number of lines
    int line = 0;                     ///< of the command in its document, from 1
};

/// The commands of a Markdown text's blocks of kind "console": lines that begin with "$ ", each
/// followed by its output. A line of output in front of the first command throws
/// std::runtime_error.
[[nodiscard]] std::vector<Example> parseExamples(std::string_view markdown);

/// Whether the lines are those that were shown, blanks at their ends aside.
[[nodiscard]] bool isAsShown(const std::vector<std::string>& shown,
                             const std::vector<std::string>& actual);

/// Lines of a text; a line feed at its end opens no further line.
[[nodiscard]] std::vector<std::string> linesOf(std::string_view text);

}  // namespace calibscope::docs
