// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/dump/stated_type.h"

#include <hdf5.h>

namespace calibscope::hdf5 {

/// What an HDF5 datatype is to us, attributes aside: a number type by its size and fields, or the
/// reason why it is none. Call under the Lock.
[[nodiscard]] StatedType typeFacts(hid_t type);

}  // namespace calibscope::hdf5
