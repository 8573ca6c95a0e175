#pragma once

#include "core/protocol/arrays.h"
#include "core/stats/exact_powers.h"
#include "core/stats/profile.h"

#include <cstdint>
#include <optional>

/// What several kinds of this module's bytes are made of.
namespace calibscope::spread {

[[nodiscard]] protocol::Json writePowers(const ExactPowers& powers);
[[nodiscard]] ExactPowers readPowers(const protocol::Json& json, const protocol::Where& where);

/// One more than an index; 0: none.
[[nodiscard]] std::uint64_t afterIndex(std::optional<std::uint64_t> index);
[[nodiscard]] std::optional<std::uint64_t> indexBefore(std::uint64_t after);

/// Fails where batches, channels or sketch hold what no float32 values can have.
void requirePossible(const TensorProfile& profile, const protocol::Where& where);
/// Whether a double is a finite float32 value.
[[nodiscard]] bool isSingle(double value);

}  // namespace calibscope::spread
