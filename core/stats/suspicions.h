// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/stats/profile.h"

#include <string>
#include <vector>

namespace calibscope {

/// Signs of damage in values that can be read, as sentences. No proof, and
/// none that there is no damage: most flipped bits leave values like any others.
///
/// - A few values 2^20 times as large as all others; among fewer than 1000 values other than 0, one
///   value 2^40 times as large, unless it is a round number. Not values that are equal, as the
///   infinities that models put into masks.
/// - Values beyond 2^64 of sizes that differ by more than 2^16: other bytes read as numbers.
/// - Runs of zeros that begin and end where the file's blocks of 512 bytes do and no row, plane or
///   channel does, among few others as long.
///
/// Integers, and tensors of fewer than 32 values other than 0, give none.
[[nodiscard]] std::vector<std::string> suspicions(const TensorProfile& profile);

}  // namespace calibscope
