#pragma once

#include "core/calibrators/entropy_trial.h"

#include <QString>

namespace calibscope {

/// Why a trial has the divergence that it has, in a line.
[[nodiscard]] QString ghostText(const EntropyTrial& trial);

}  // namespace calibscope
