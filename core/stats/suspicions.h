#pragma once

#include "core/stats/profile.h"

#include <string>
#include <vector>

namespace calibscope {

/// What in a tensor's values looks like damage though they can be read, as sentences: a few values
/// whose exponents are far from those of all others, as flipped bits leave them. Values that are
/// equal (the infinities that a model puts into masks), integers, and tensors of fewer than 1000
/// values other than 0 give none. No proof, and none that there is no damage.
[[nodiscard]] std::vector<std::string> suspicions(const TensorProfile& profile);

}  // namespace calibscope
