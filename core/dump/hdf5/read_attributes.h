#pragma once

#include "core/dump/dataset_facts.h"

#include <hdf5.h>

namespace calibscope::hdf5 {

/// The attributes of an object. One that can't be read, or is larger than 1 MiB, has no value; none
/// makes this fail. Call under the Lock.
[[nodiscard]] Attributes readAttributes(hid_t object);

}  // namespace calibscope::hdf5
