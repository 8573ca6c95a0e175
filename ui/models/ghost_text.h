#pragma once

#include "core/calibrators/algorithms/entropy_candidate.h"

#include <QString>

namespace calibscope {

/// Why a candidate has the divergence that it has, in a line.
[[nodiscard]] QString ghostText(const EntropyCandidate& candidate);

}  // namespace calibscope
