// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/exchange/scale_file.h"

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace calibscope::exchange {

/// Which of the forms of ONNX Runtime's calibration.json an object has.
enum class OrtForm { None, Pairs, TensorData };

/// The form of the object that holds the tensors, by its first member.
[[nodiscard]] OrtForm ortForm(const nlohmann::json& tensors);

/// The ranges of an object whose members are [min, max] or TensorData, in the order of names.
[[nodiscard]] std::vector<ScaleEntry> ortEntries(const nlohmann::json& tensors);

/// The ends of an entry's values as JSON: a number, or a list, one for each channel. Throws
/// Error(Usage) where there are none.
struct OrtEnds
{
    std::string lowest;
    std::string highest;
};
[[nodiscard]] OrtEnds ortEnds(const ScaleEntry& entry);

}  // namespace calibscope::exchange
