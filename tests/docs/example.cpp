// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/docs/example.h"

#include <algorithm>
#include <span>
#include <stdexcept>

namespace calibscope::docs {

namespace {

constexpr std::string_view prompt = "$ ";

std::string_view withoutEndBlanks(std::string_view line)
{
    const auto last = line.find_last_not_of(" \t");
    return line.substr(0, last == std::string_view::npos ? 0 : last + 1);
}

bool matches(std::span<const std::string> shown, std::span<const std::string> actual)
{
    while (!shown.empty() && withoutEndBlanks(shown.front()) != "...") {
        if (actual.empty() || withoutEndBlanks(shown.front()) != withoutEndBlanks(actual.front()))
            return false;
        shown = shown.subspan(1);
        actual = actual.subspan(1);
    }
    if (shown.empty())
        return actual.empty();
    for (std::size_t skipped = 0; skipped <= actual.size(); ++skipped) {
        if (matches(shown.subspan(1), actual.subspan(skipped)))
            return true;
    }
    return false;
}

}  // namespace

std::vector<std::string> linesOf(std::string_view text)
{
    std::vector<std::string> lines;
    while (!text.empty()) {
        const auto end = std::min(text.find('\n'), text.size());
        lines.emplace_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return lines;
}

std::vector<Example> parseExamples(std::string_view markdown)
{
    std::vector<Example> examples;
    bool inBlock = false;
    bool hasCommand = false;
    int number = 0;
    for (const std::string& line : linesOf(markdown)) {
        ++number;
        if (line.starts_with("```")) {
            inBlock = line == "```console";
            hasCommand = false;
        } else if (inBlock && line.starts_with(prompt)) {
            examples.push_back(
                {.command = line.substr(prompt.size()), .output = {}, .line = number});
            hasCommand = true;
        } else if (inBlock) {
            if (!hasCommand)
                throw std::runtime_error("line " + std::to_string(number) +
                                         ": no command before it");
            examples.back().output.push_back(line);
        }
    }
    return examples;
}

bool isAsShown(const std::vector<std::string>& shown, const std::vector<std::string>& actual)
{
    return matches(shown, actual);
}

}  // namespace calibscope::docs
