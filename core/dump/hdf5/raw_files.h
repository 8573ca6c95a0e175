#pragma once

#include "core/dump/hdf5/other_files.h"

#include <cstdint>
#include <string>

namespace calibscope::hdf5 {

/// Why the values of a dataset that lie in raw files beside its file (H5Pset_external) can't be
/// read: not allowed, missing or too short, where the library would give zeros. Empty: they can, or
/// none lie there. Call under the Lock.
[[nodiscard]] Unreadable rawFilesProblem(hid_t creationProperties, std::uint64_t neededBytes,
                                         const OtherFiles& others);

}  // namespace calibscope::hdf5
