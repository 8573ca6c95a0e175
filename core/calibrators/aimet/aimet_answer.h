// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/parameter.h"
#include "core/calibrators/aimet/averaged_density.h"
#include "core/calibrators/calibrator.h"

#include <functional>
#include <optional>

namespace calibscope {

// What the calibrators have in common that search as AIMET's analyzers do.

/// They look at the values of every batch that is not all zero.
[[nodiscard]] CalibratorNeeds aimetNeeds(const CalibratorInput& input, const Extents& extents);

/// `zeros`: what a tensor of zeros gets.
[[nodiscard]] Parameter zerosParameter();

/// The answer to data without finite values or with zeros only; nothing for other data.
[[nodiscard]] std::optional<Calibration> aimetAnswerToOddData(const CalibratorInput& input,
                                                              const Extents& extents);

/// Sets a range that holds 0; a symmetric threshold is its farther end.
void settleAimetRange(Calibration& calibration, const CalibratorInput& input,
                      const Extents& extents, const Range& range);

/// The whole data, with the note that float32 can't divide its range into bins.
void settleWithoutBins(Calibration& calibration, const CalibratorInput& input,
                       const Extents& extents);

/// What an analyzer does with a density that has bins.
using DensitySearch = std::function<void(Calibration&, const AveragedDensity&)>;

/// The search's answer on the density of all batches, with a note where values were left out of it.
/// Odd data has its written answer, of zeros the parameter's; where float32 can't divide the range
/// into bins, all of it is kept.
[[nodiscard]] Calibration aimetCalibration(const CalibratorInput& input,
                                           const TensorProfile& profile,
                                           const DensitySearch& search);

}  // namespace calibscope
