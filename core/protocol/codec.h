#pragma once

#include "core/protocol/messages.h"
#include "core/protocol/wire.h"

#include <concepts>

namespace calibscope::protocol {

template <typename T>
concept Message = std::same_as<T, OpenRequest> || std::same_as<T, DumpOpened> ||
    std::same_as<T, ViewRequest> || std::same_as<T, TensorView> ||
    std::same_as<T, PreviewRequest> || std::same_as<T, Preview> || std::same_as<T, StripRequest> ||
    std::same_as<T, Strip> || std::same_as<T, CompareRequest> || std::same_as<T, Compared>;

/// A message's struct as Json. Arrays of numbers become byte strings, so it is meant for CBOR.
template <Message T>
[[nodiscard]] Json encode(const T& message);

/// The struct again, equal. Throws Error(Input) that names the member
/// that is missing, of another kind, or breaks a promise that readers rely on (a curve with fewer
/// values than thresholds, a scheme of 40 bits): the other side may be damaged or older. Choices'
/// settings are not compared with what their calibrators accept.
template <Message T>
[[nodiscard]] T decode(const Json& json);

}  // namespace calibscope::protocol
