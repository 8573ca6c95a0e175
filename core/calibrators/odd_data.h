// SPDX-License-Identifier: GPL-3.0-or-later
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

/// Whether a calibrator that says where both ends lie puts 0 between them: an affine scheme's ends
/// stay as they are.
[[nodiscard]] Parameter zeroInRangeParameter();
/// Sets a range by that parameter's value. One without a width gets 0 all the same, with a note:
/// there would be no scale.
void settleFreeRange(Calibration& calibration, const Settings& settings, const Range& range);

}  // namespace calibscope
