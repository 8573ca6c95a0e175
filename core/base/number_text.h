// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace calibscope {

/// Shortest decimal text that reads back to the same double, in the C locale; "inf", "-inf" and
/// "nan" where they apply; "0" for either zero.
[[nodiscard]] std::string numberText(double value);
[[nodiscard]] std::string numberText(std::uint64_t value);

/// A whole number for people, in groups of three with narrow no-break spaces: "76 800".
[[nodiscard]] std::string groupedText(std::uint64_t value);

/// A count and what it counts: "1 bin", "2 bins".
[[nodiscard]] std::string countText(std::uint64_t count, std::string_view one,
                                    std::string_view many);

/// The number a whole text stands for ("inf" and "-inf" included); nothing if it is not a number.
[[nodiscard]] std::optional<double> parseNumber(std::string_view text);

}  // namespace calibscope
