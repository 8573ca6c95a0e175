// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/natural_order.h"

#include <algorithm>

namespace calibscope {

namespace {

bool isDigit(char letter)
{
    return letter >= '0' && letter <= '9';
}

unsigned char comparedAs(char letter, bool ignoresCase)
{
    const bool isLowered = ignoresCase && letter >= 'A' && letter <= 'Z';
    return static_cast<unsigned char>(isLowered ? letter - 'A' + 'a' : letter);
}

/// Takes the number that the text begins with, without leading zeros.
std::string_view takeNumber(std::string_view& text)
{
    const auto end = std::ranges::find_if_not(text, isDigit);
    std::string_view digits = text.substr(0, static_cast<std::size_t>(end - text.begin()));
    text.remove_prefix(digits.size());
    digits.remove_prefix(std::min(digits.find_first_not_of('0'), digits.size()));
    return digits;
}

bool isBefore(std::string_view left, std::string_view right, bool ignoresCase)
{
    std::string_view one = left;
    std::string_view other = right;
    while (!one.empty() && !other.empty()) {
        if (isDigit(one.front()) && isDigit(other.front())) {
            const std::string_view number = takeNumber(one);
            const std::string_view otherNumber = takeNumber(other);
            if (number.size() != otherNumber.size())
                return number.size() < otherNumber.size();
            if (number != otherNumber)
                return number < otherNumber;
        } else {
            const unsigned char letter = comparedAs(one.front(), ignoresCase);
            const unsigned char otherLetter = comparedAs(other.front(), ignoresCase);
            if (letter != otherLetter)
                return letter < otherLetter;
            one.remove_prefix(1);
            other.remove_prefix(1);
        }
    }
    return one.empty() != other.empty() ? one.empty() : left < right;
}

}  // namespace

bool naturallyBefore(std::string_view left, std::string_view right)
{
    return isBefore(left, right, true);
}

bool naturallyBeforeWithCase(std::string_view left, std::string_view right)
{
    return isBefore(left, right, false);
}

}  // namespace calibscope
