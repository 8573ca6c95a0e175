// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <span>

namespace calibscope::kernels {

/// Undoes HDF5's shuffle filter: `planes` holds all first bytes of the elements, then all second
/// ones, and so on; `room`, of the same size, gets whole elements. What is left over of an element
/// stands at the end of both as it is.
void unshuffle(std::span<const std::byte> planes, std::size_t elementBytes,
               std::span<std::byte> room);
/// The same, byte by byte: what the vector form is held against.
void unshufflePlain(std::span<const std::byte> planes, std::size_t elementBytes,
                    std::span<std::byte> room);

}  // namespace calibscope::kernels
