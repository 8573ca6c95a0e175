// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/protocol/frame_reader.h"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <string>
#include <string_view>

/// Messages as CBOR. What they hold is in envelope.h and codec.h.
namespace calibscope::protocol {

using Json = nlohmann::json;

/// A message as one frame. Throws Error(Input) if its CBOR exceeds frameLimit.
[[nodiscard]] std::string toFrame(const Json& message);

/// The CBOR value that the bytes hold, all of them. Throws Error(Input) for what checkCbor()
/// refuses, before anything is built. Strings are not checked to be UTF-8.
[[nodiscard]] Json parseCbor(std::string_view bytes);

}  // namespace calibscope::protocol
