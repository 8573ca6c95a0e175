// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tensor/type_offer.h"
#include "core/tensor/value_source.h"

#include <optional>

namespace calibscope {

/// Whether 16-bit integers look like floats that were stored as integers: bfloat16, else float16.
/// Nothing where the file or the user has said what they are. Looks at the first blocks alone.
///
/// An offer needs 256 values, 99 % of which are zeros or floats of a usual magnitude (1e-8 to 1000
/// for bfloat16, 6.1e-5 to 1000 for float16), and that integers would hardly lie so: as both signs
/// are there, or for bfloat16 zeros (1 % at least, and as many other values), integers would have
/// to leave out whole ranges. Indices fill those: random ones reach 53 and 75 %.
[[nodiscard]] std::optional<TypeOffer> typeOffer(const ValueSource& source);

}  // namespace calibscope
