// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <hdf5.h>

namespace calibscope::hdf5 {

/// Number under which LZF is registered with The HDF Group.
constexpr H5Z_filter_t lzfFilter = 32000;

/// Where its writer puts the bytes of an unpacked chunk among the filter's parameters.
constexpr unsigned lzfChunkBytesAt = 2;

/// Makes the library read LZF with decodeLzf(), whatever plugins are installed; without it the
/// library needs one. May be called again. Call under the Lock.
void registerLzf();

}  // namespace calibscope::hdf5
