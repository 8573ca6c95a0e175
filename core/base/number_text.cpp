// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/number_text.h"

#include <array>
#include <charconv>
#include <cmath>

namespace calibscope {

namespace {

template <typename Number>
std::string shortest(Number value)
{
    std::array<char, 32> text{};
    const auto [end, error] = std::to_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc{} ? std::string(text.data(), end) : std::string{};
}

}  // namespace

std::string numberText(double value)
{
    if (std::isnan(value))
        return "nan";
    if (std::isinf(value))
        return value > 0 ? "inf" : "-inf";
    return shortest(value + 0.0);  // + 0.0 turns -0 into 0
}

std::string numberText(std::uint64_t value)
{
    return shortest(value);
}

std::string groupedText(std::uint64_t value)
{
    std::string digits = shortest(value);
    for (std::size_t place = digits.size(); place > 3; place -= 3)
        digits.insert(place - 3, "\u202f");
    return digits;
}

std::string countText(std::uint64_t count, std::string_view one, std::string_view many)
{
    return numberText(count) + ' ' + std::string(count == 1 ? one : many);
}

std::optional<double> parseNumber(std::string_view text)
{
    if (text.starts_with('+'))
        text.remove_prefix(1);
    double value = 0.0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size() || text.empty())
        return std::nullopt;
    return value;
}

}  // namespace calibscope
