#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace calibscope {

/// Shortest decimal text that reads back to the same double, in the C locale; "inf", "-inf" and
/// "nan" where they apply.
[[nodiscard]] std::string numberText(double value);
[[nodiscard]] std::string numberText(std::uint64_t value);

/// The number a whole text stands for ("inf" and "-inf" included); nothing if it is no number.
[[nodiscard]] std::optional<double> parseNumber(std::string_view text);

}  // namespace calibscope
