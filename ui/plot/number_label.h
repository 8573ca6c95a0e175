#pragma once

#include <QString>

#include <cstdint>

namespace calibscope {

/// Numbers as a reader wants them on a plot: a decimal point whatever the desktop's language (as in
/// the files that the programs write), a true minus sign, no zeros at the end. For files use
/// numberText().

/// A value with so many significant digits: "2.391", "−0.0188", "3.2×10⁻⁷"; plain from 10^-4 to
/// below 10^6; "∞", "−∞", "NaN".
[[nodiscard]] QString valueLabel(double value, int digits = 4);
/// A value with so many decimals, without a power of ten.
[[nodiscard]] QString fixedLabel(double value, int decimals);
/// A whole number in groups of three: "76 800".
[[nodiscard]] QString countLabel(std::uint64_t count);
/// `one` for a count of 1, else `many` with the count for the lowest of its places (%1): "1 batch",
/// "76 800 batches".
[[nodiscard]] QString countText(std::uint64_t count, const QString& one, const QString& many);
/// A size as people read it: "812 B", "4.81 MB", with powers of 1000.
[[nodiscard]] QString bytesLabel(std::uint64_t bytes);
/// "10⁻³".
[[nodiscard]] QString powerOfTenLabel(int exponent);

}  // namespace calibscope
