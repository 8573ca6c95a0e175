#include "core/report/html/file_names.h"

#include <algorithm>

namespace calibscope {

namespace {

constexpr std::size_t longest = 100;

bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

bool isUpper(char c)
{
    return c >= 'A' && c <= 'Z';
}

bool isSafe(char c)
{
    return (c >= 'a' && c <= 'z') || isUpper(c) || isDigit(c) || c == '.' || c == '-' || c == '_';
}

std::string safe(std::string_view tensor)
{
    std::string name(tensor.substr(0, longest));
    std::ranges::replace_if(
        name, [](char c) { return !isSafe(c); }, '_');
    if (name.empty() || name.front() == '.' || name.front() == '-')
        name.insert(0, "_");
    return name;
}

std::string lowerCase(std::string text)
{
    for (char& c : text)
        if (isUpper(c))
            c = static_cast<char>(c - 'A' + 'a');
    return text;
}

}  // namespace

std::string FileNames::next(std::string_view tensor)
{
    const std::string base = safe(tensor);
    std::string name = base;
    for (int number = 2; !m_given.insert(lowerCase(name)).second; ++number)
        name = base + "-" + std::to_string(number);
    return name;
}

}  // namespace calibscope
