// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/exchange/scale_file.h"

#include <string>

namespace calibscope::exchange {

/// Meaning of AIMET's offset: real = (q + offset) scale, q from 0 to 2^bits - 1.
struct AimetNumbers
{
    double scale = 0.0;
    double offset = 0.0;
    double min = 0.0;
    double max = 0.0;
};

/// Takes bits, levels and a value from scale and offset. A symmetric entry whose offset is
/// -(2^(bits-1) - 1) has one level less; a positive offset, as some tools wrote, counts as its
/// negative.
void takeAimetValue(ScaleEntry& entry, double scale, double offset);

/// The numbers of an entry's value: offset = lowest level - zero point, the ends by scale and
/// offset; the scale as float32. Throws Error(Usage), naming the entry, where the zero point is not
/// whole.
[[nodiscard]] AimetNumbers aimetNumbers(const ScaleEntry& entry, const EntryValue& value);

/// A whole number without a point, or what Python writes for one that is none.
[[nodiscard]] std::string aimetOffsetText(double offset);

/// Whether the tool calls it symmetric: as the entry tells, else without a zero point.
[[nodiscard]] bool isAimetSymmetric(const ScaleEntry& entry);

/// Throws Error(Usage) for a name that is empty, no value, or values of another layout than for the
/// tensor or its channels.
void requireAimetEntry(const ScaleEntry& entry);

/// Takes the number of bits, and the levels that follow. Odd ones are noted.
void takeAimetBits(ScaleEntry& entry, double bits);

}  // namespace calibscope::exchange
