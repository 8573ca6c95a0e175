#pragma once

#include "core/calibrators/calibrator.h"

#include <optional>

namespace calibscope {

/// The same answer of every calibrator to data that leave nothing to choose: without finite values
/// no range, all zero a threshold of 0 (affine: the range [0, 0]), each with its note. Nothing for
/// other data.
[[nodiscard]] std::optional<Calibration> answerToOddData(const Scheme& scheme,
                                                         const Extents& extents);

/// Sets a threshold. Under an affine scheme it becomes the range from max(-t, min(min x, 0)) to
/// min(t, max(max x, 0)), with a note; a symmetric threshold above the largest magnitude gets a
/// note.
void settleThreshold(Calibration& calibration, const Scheme& scheme, const Extents& extents,
                     double threshold);

/// Sets a range, which 0 is put into.
void settleRange(Calibration& calibration, const Range& range);

}  // namespace calibscope
