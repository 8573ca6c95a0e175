#pragma once

#include "core/protocol/codec/where.h"
#include "core/protocol/wire.h"

#include <cstdint>
#include <span>
#include <vector>

namespace calibscope::protocol {

/// Whole numbers most of which are small, as {"type": "varint", "count": n, "bytes": ...}: seven
/// bits to a byte, the least first, the eighth bit set where more follow. A strip's counts take a
/// fifth of the bytes that 64 bits each would.
[[nodiscard]] Json writePacked(std::span<const std::uint64_t> numbers);
[[nodiscard]] std::vector<std::uint64_t> readPacked(const Json& json, const Where& where);

}  // namespace calibscope::protocol
