// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <cstdint>
#include <optional>

namespace calibscope {

/// Numbers as a reader wants them on a plot: a decimal point whatever the desktop's language (as in
/// the files that the programs write), a true minus sign, no zeros at the end. For files use
/// numberText().

/// How valueLabel() writes numbers unless told otherwise: the user's choice for the whole process,
/// as QLocale's default is. Files and the command line have all digits whatever it is.
struct LabelFormat
{
    int digits = 4;       ///< significant ones, 2 to 9
    int plainPowers = 6;  ///< no power of ten from 10^(2 - it) to below 10^it; 3 to 12

    bool operator==(const LabelFormat&) const = default;
};

/// The one that holds now, in any thread.
[[nodiscard]] LabelFormat labelFormat();
/// What is shown is not drawn anew by it. Numbers outside their bounds become the nearest one.
void setLabelFormat(LabelFormat format);

/// A value with so many significant digits: "2.391", "−0.0188", "3.2×10⁻⁷"; "∞", "−∞", "NaN".
[[nodiscard]] QString valueLabel(double value, int digits = labelFormat().digits);
/// A value with as many digits as tell it from one that is `step` away: at least `digits`, at most
/// 15.
[[nodiscard]] QString fineLabel(double value, double step, int digits = labelFormat().digits);
/// A value for narrow columns, as programs print it: "0.0188", or with a digit less and its
/// exponent, "2.7e−17".
[[nodiscard]] QString shortLabel(double value, int digits = 3);
/// A value with so many decimals, without a power of ten.
[[nodiscard]] QString fixedLabel(double value, int decimals);
/// A figure in dB, with one decimal: "29.7", "∞"; without any "–".
[[nodiscard]] QString dbLabel(const std::optional<double>& db);
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
