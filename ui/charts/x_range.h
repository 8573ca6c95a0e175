#pragma once

#include "core/base/range.h"

namespace calibscope {

/// The range `factor` times as wide around `centre`, which keeps its place on screen. Stays inside
/// `full`, and no narrower than a millionth of it.
[[nodiscard]] Range zoomedRange(const Range& shown, const Range& full, double centre,
                                double factor);

/// The range moved by `distance`, but not out of `full`.
[[nodiscard]] Range movedRange(const Range& shown, const Range& full, double distance);

}  // namespace calibscope
