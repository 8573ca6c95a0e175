#include "core/report/python/python_code.h"

#include "core/base/embedded_text.h"
#include "core/base/number_text.h"
#include "core/base/utf8.h"
#include "core/report/tables/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <vector>

namespace calibscope::python {

namespace {

constexpr EmbeddedText texts[] = {
#include "python.inc"
};

constexpr std::string_view importBegin = "import ";
constexpr std::string_view fromBegin = "from ";

/// Moves the imports in front of a text to the others. h5py and NumPy stand behind the standard
/// library's, with an empty line between.
void takeImports(std::string_view& text, std::set<std::string>& standard,
                 std::set<std::string>& further)
{
    while (text.starts_with(importBegin) || text.starts_with(fromBegin)) {
        const std::size_t end = text.find('\n') + 1;
        const std::string line(text.substr(0, end));
        const bool isFurther = line.starts_with("import h5py") || line.starts_with("import numpy");
        (isFurther ? further : standard).insert(line);
        text.remove_prefix(end);
    }
    text.remove_prefix(std::min(text.find_first_not_of('\n'), text.size()));
}

std::string joined(const std::set<std::string>& lines)
{
    std::string text;
    for (const std::string& line : lines)
        text += line;
    return text;
}

}  // namespace

std::string literal(std::string_view text)
{
    if (validUtf8(text) == text)
        return jsonText(text);
    std::string bytes = "b\"";
    for (const char byte : text)
        bytes += fmt::format("\\x{:02x}", static_cast<unsigned char>(byte));
    return bytes + '"';
}

std::string literal(double value)
{
    if (std::isfinite(value))
        return numberText(value);
    return "float(\"" + numberText(value) + "\")";
}

std::string library(const std::set<std::string, std::less<>>& names)
{
    std::set<std::string> standard;
    std::set<std::string> further;
    std::string functions;
    std::size_t found = 0;
    for (const auto& [fileName, content] : texts) {
        const std::string name(
            fileName.substr(0, fileName.size() - std::string_view(".py").size()));
        if (!names.contains(name))
            continue;
        ++found;
        std::string_view text = content;
        takeImports(text, standard, further);
        functions += "\n\n" + std::string(text);
    }
    if (found != names.size())
        throw std::invalid_argument("there is no such text in resources/python");
    return joined(standard) + (standard.empty() ? "" : "\n") + joined(further) + functions;
}

}  // namespace calibscope::python
