// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/progress.h"
#include "core/engine/subject.h"
#include "core/protocol/messages.h"

#include <memory>

/// The engine's answers about where values lie in a tensor. They need no profile. All throw
/// Error(Input) where the dump is no longer what was opened or values can't be read, Error(Usage)
/// for what the tensor does not admit, and Cancelled.
namespace calibscope::engine {

/// A tensor of a dump, as the asker interprets it.
struct AskedTensor
{
    std::shared_ptr<const OpenDump> dump;
    TensorInfo info;
};
[[nodiscard]] AskedTensor tensorIn(EngineMemory& memory, const TensorRef& tensor,
                                   const Progress& progress);

[[nodiscard]] Slice sliceOf(EngineMemory& memory, const protocol::SliceRequest& request,
                            const Progress& progress);
[[nodiscard]] FoundValues locatedIn(EngineMemory& memory, const protocol::LocateRequest& request,
                                    const Progress& progress);

/// A tensor without a finite value is Error(Usage).
[[nodiscard]] SampleExtreme extremeOf(EngineMemory& memory, const protocol::ExtremeRequest& request,
                                      const Progress& progress);

}  // namespace calibscope::engine
