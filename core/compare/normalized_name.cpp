#include "core/compare/normalized_name.h"

#include <algorithm>
#include <array>

namespace calibscope {

namespace {

constexpr std::array<std::string_view, 3> wrappers = {"module.", "model.", "_orig_mod."};

bool isDigit(char character)
{
    return character >= '0' && character <= '9';
}

/// Without ":0" or ":12" at the end.
std::string_view withoutOutputNumber(std::string_view name)
{
    const std::size_t colon = name.rfind(':');
    if (colon == std::string_view::npos || colon == 0 || colon + 1 == name.size() ||
        !std::all_of(name.begin() + static_cast<std::ptrdiff_t>(colon) + 1, name.end(), isDigit))
        return name;
    return name.substr(0, colon);
}

/// Separators as dots, none in front, behind or beside another.
std::string withDots(std::string_view name)
{
    std::string text;
    for (const char character : name) {
        const bool isSeparator =
            character == '.' || character == '/' || character == ':' || character == '\\';
        if (!isSeparator)
            text += character;
        else if (!text.empty() && text.back() != '.')
            text += '.';
    }
    if (!text.empty() && text.back() == '.')
        text.pop_back();
    return text;
}

std::string_view withoutWrappers(std::string_view name)
{
    for (bool found = true; found;) {
        found = false;
        for (const std::string_view wrapper : wrappers)
            if (name.size() > wrapper.size() && name.starts_with(wrapper)) {
                name.remove_prefix(wrapper.size());
                found = true;
            }
    }
    return name;
}

}  // namespace

std::string normalizedName(std::string_view name)
{
    const std::string dotted = withDots(withoutOutputNumber(name));
    return dotted.empty() ? std::string(name) : std::string(withoutWrappers(dotted));
}

}  // namespace calibscope
