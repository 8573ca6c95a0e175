// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/dump/structure/stored_bytes.h"

#include <cstdint>
#include <functional>

namespace calibscope::structure {

/// Visits the records of a tree of version 2 in order (HDF5 File Format Specification, III.A.2),
/// after checking that it is of that type. Returns how many there were. Throws Damage.
std::uint64_t walkTreeTwo(StoredBytes& file, std::uint64_t address, unsigned type,
                          const std::function<void(StoredReader)>& visit);

}  // namespace calibscope::structure
