#pragma once

#include "core/protocol/messages.h"
#include "core/protocol/wire.h"

namespace calibscope::protocol {

/// A request or a result of the protocol's methods as Json. Arrays of numbers become byte strings,
/// so it is meant for CBOR.
template <typename T>
[[nodiscard]] Json encode(const T& message);

/// The struct again, equal. Throws Error(Input) that names the member
/// that is missing, of another kind, or breaks a promise that readers rely on (a curve with fewer
/// values than thresholds, a scheme of 40 bits): the other side may be damaged or older.
template <typename T>
[[nodiscard]] T decode(const Json& json);

}  // namespace calibscope::protocol
