// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/progress.h"
#include "core/engine/subject.h"
#include "core/protocol/messages.h"

namespace calibscope::engine {

/// Another tool's file of scales beside the tensors of a dump. Profiles come from memory where they
/// are there; a tensor that can't be read is told with its entry. Throws Error(Input) where the
/// file can't be read or understood, or a tensor's dump is no longer what was opened.
[[nodiscard]] protocol::ImportedFile importedFile(EngineMemory& memory,
                                                  const protocol::ImportRequest& request,
                                                  const Progress& progress);

}  // namespace calibscope::engine
