// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/finding.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

/// Changes for a quantized model, before they are written: as calib tells it and the window
/// shows it.
namespace calibscope {

/// A tensor that becomes integers.
struct PlannedIntegers
{
    std::string tensor;      ///< the graph's name
    std::string dumpTensor;  ///< the dump's
    bool isWeight = false;   ///< else it gets a pair
    std::uint64_t bits = 8;
    std::uint64_t scales = 1;
    double scale = 0.0;  ///< the widest
    int zeroPoint = 0;   ///< as written, of the first
    bool operator==(const PlannedIntegers&) const = default;
};

struct DeployPlan
{
    std::vector<PlannedIntegers> integers;
    std::uint64_t biases = 0;  ///< that become int32
    Findings lints;            ///< on tensors by the graph's names
    bool operator==(const DeployPlan&) const = default;
};

/// The plan as one JSON object, with the program's version.
[[nodiscard]] std::string planJson(const DeployPlan& plan);
/// That text read again. Throws Error(Input) that begins with `origin`.
[[nodiscard]] DeployPlan parseDeployPlan(std::string_view text, const std::string& origin);

}  // namespace calibscope
