// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/progress.h"
#include "core/engine/subject.h"
#include "core/protocol/messages.h"

/// The engine's answers about number formats. They need no profile. All throw Error(Input) where the
/// dump is no longer what was opened or values can't be read, Error(Usage) for a format that there
/// is not or that does not fit the tensor, and Cancelled.
namespace calibscope::engine {

[[nodiscard]] protocol::Rated ratedIn(EngineMemory& memory, const protocol::RateRequest& request,
                                      const Progress& progress);
[[nodiscard]] FormatMap mapOf(EngineMemory& memory, const protocol::FormatMapRequest& request,
                              const Progress& progress);
/// A block that there is not is Error(Usage).
[[nodiscard]] protocol::EncodedBlock
blockOf(EngineMemory& memory, const protocol::BlockRequest& request, const Progress& progress);

}  // namespace calibscope::engine
