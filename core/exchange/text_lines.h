// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/exchange/scale_file.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace calibscope::exchange {

struct TextLine
{
    std::string_view text;     ///< without its end, LF or CR LF
    std::uint64_t number = 0;  ///< counted from 1
};

/// The lines of a text, empty ones left out.
[[nodiscard]] std::vector<TextLine> linesOf(std::string_view text);

/// The number that a text starts and ends with, as C's strtof() takes it: also "nan", "inf",
/// "Infinity" with a sign. Nothing if it is none; as in C, what is too large is infinite.
[[nodiscard]] std::optional<double> looseNumber(std::string_view text);

/// The float32 that stands for a number: shortest decimal text that reads back to it; "inf",
/// "-inf", "nan".
[[nodiscard]] std::string floatText(double value);

/// An entry for a line that can't be understood: all of it is the name.
[[nodiscard]] ScaleEntry strangeLine(const TextLine& line, std::string sentence);

/// Bytes of a text that has no NUL and hardly other control characters: none of a binary format.
[[nodiscard]] bool looksLikeText(std::string_view bytes);

/// The one threshold of an entry, or its scale at the highest level. Throws Error(Usage), naming it
/// and the format, where it has another count of values, a zero point, or only ends of different
/// magnitudes.
[[nodiscard]] double onlyThreshold(const ScaleEntry& entry, std::string_view format);

/// The threshold of the one value, or its larger end. Throws Error(Usage) likewise, but not for
/// ends of different magnitudes.
[[nodiscard]] double onlyMagnitude(const ScaleEntry& entry, std::string_view format);

/// Throws Error(Usage) for a name that is empty or has one of these bytes, which end it in the
/// format.
void requireName(const ScaleEntry& entry, std::string_view endsIt, std::string_view format);

}  // namespace calibscope::exchange
