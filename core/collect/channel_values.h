// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/progress.h"
#include "core/tensor/value_source.h"

#include <cstdint>
#include <functional>

namespace calibscope {

/// One channel of a source as a source of its own: batches as recorded, samples along axis 0, no
/// channel axis. Each visit is a pass over the whole source. Throws Error(Input) where the source
/// has no such channel.
[[nodiscard]] ValueSource sourceOfChannel(const ValueSource& source, std::uint64_t channel);

/// Called for each channel in ascending order with a source of that channel's values: batches as
/// recorded, samples along axis 0, no channel axis; what reading has lost is not stated. The source
/// is valid during the call only.
using ChannelVisitor = std::function<void(std::uint64_t channel, const ValueSource& values)>;

/// Visits the values of each channel of a source with a channel axis. As many channels as fit
/// `memoryBytes` are gathered in one pass over the source; a single channel that does not fit is
/// passed as a source that filters the whole one on each visit. Each channel is a step, whatever
/// its visitor does: thousands of them take long.
void visitChannels(const ValueSource& source, std::uint64_t memoryBytes,
                   const ChannelVisitor& visitor, const Progress& progress);

}  // namespace calibscope
