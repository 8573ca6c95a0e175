// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/error.h"
#include "core/protocol/arrays.h"
#include "core/stats/exact_powers.h"
#include "core/stats/profile.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

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

/// What some bytes are kept as.
enum class Kept {
    Step,     ///< what a step has left for the next ones
    Profile,  ///< the file that a run has made
};
/// "where: it is damaged (reason); remedy".
[[noreturn]] void failDamaged(Kept kept, const std::string& where, std::string_view reason);
/// What `read` makes of bytes that are kept at `where`; whatever it finds wrong in them is a fault
/// of the input, with where and remedy.
template <typename Read>
auto readKept(Kept kept, const std::string& where, const Read& read) -> decltype(read())
{
    try {
        return read();
    } catch (const Error& error) {
        failDamaged(kept, where, error.what());
    } catch (const protocol::Json::exception&) {
        failDamaged(kept, where, "a member is missing or of another kind");
    }
}

}  // namespace calibscope::spread
