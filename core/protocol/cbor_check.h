// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string_view>

namespace calibscope::protocol {

constexpr std::size_t depthLimit = 32;  ///< of nested arrays and objects, the outermost included
constexpr std::size_t valueLimit = std::size_t{8}
                                   << 20;  ///< arrays, objects and scalars in one message

/// About how many bytes of memory the values of one message may take. A list of a hundred thousand
/// tensors takes nine tenths of that.
constexpr std::size_t builtLimit = std::size_t{384} << 20;

/// Throws Error(Input) unless the bytes are exactly one CBOR value of the kind that this program
/// writes: lengths are stated in advance (nothing of indefinite length, which nlohmann's reader would
/// follow by recursion), keys are texts, neither tags nor other simple values than false, true and
/// null, and what is announced does follow. Throws likewise where depthLimit, valueLimit or
/// builtLimit is exceeded. Needs no memory, and a time that grows with the bytes.
/// Source of the format: RFC 8949, sections 3 and 3.1.
void checkCbor(std::string_view bytes);

}  // namespace calibscope::protocol
