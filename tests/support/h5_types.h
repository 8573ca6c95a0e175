// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/h5_file.h"

#include <hdf5.h>

namespace calibscope::test {

/// A new HDF5 datatype, to be closed by the caller; invalid where the library refuses it.
[[nodiscard]] hid_t typeOf(Stored stored);
[[nodiscard]] hid_t typeOf(const RawType& raw);

}  // namespace calibscope::test
