// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/dump/hdf5/open_file.h"
#include "core/dump/hdf5/read_facts.h"

#include <cstdint>
#include <string>
#include <vector>

namespace calibscope::hdf5 {

/// Another file that a virtual dataset is put together from though that was not allowed; empty if
/// there is none. No other file is looked at. Call under the Lock.
[[nodiscard]] std::string forbiddenSource(hid_t creationProperties, const OpenFile& file);

struct VirtualFacts
{
    std::string doubt;      ///< a sentence, or empty
    Unreadable unreadable;  ///< why no value may be read, or empty
    std::vector<DatasetSource> sources = {};
};

/// Checks a virtual dataset's sources: in place of one that is not there, or is too small, the
/// library gives fill values without a word. `neededBytes`: of its shape, of which sources must
/// give all but mostUnwrittenBytes. Opens each source once per file. Requires no
/// forbiddenSource(). Throws Cancelled where a StoppableReads was asked to stop. Call under the
/// Lock.
[[nodiscard]] VirtualFacts virtualFacts(hid_t dataset, hid_t creationProperties,
                                        std::uint64_t neededBytes, const ReadContext& context);

}  // namespace calibscope::hdf5
