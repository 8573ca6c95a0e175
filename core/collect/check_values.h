// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/progress.h"
#include "core/tensor/value_source.h"

#include <string>
#include <string_view>
#include <vector>

namespace calibscope {

/// Result of reading all values of a tensor.
struct ValueCheck
{
    enum class State {
        Verified,    ///< they fit a checksum or digest that was recorded with them
        NoChecksum,  ///< they can be read; nothing tells whether they are what was recorded
        Damaged,     ///< they can't be read, or contradict what was recorded with them
        NotRead,     ///< it was reported already when the file was opened that they can't be
    };
    State state = State::NotRead;
    std::string problem;              ///< why they are damaged or not read, as a sentence
    std::vector<std::string> doubts;  ///< sentences
};

/// "verified", "no checksum", "damaged", "not read".
[[nodiscard]] std::string_view checkStateText(ValueCheck::State state);

/// Reads all values, and verifies whatever their file holds to verify them with. Throws Cancelled.
[[nodiscard]] ValueCheck checkValues(const ValueSource& source, const Progress& progress = {});

}  // namespace calibscope
