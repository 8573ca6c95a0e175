// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/settings.h"
#include "core/formats/block_format.h"
#include "core/quant/scheme.h"
#include "core/recipes/outcome.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace calibscope {

/// A choice of that calibrator with the given values of its parameters and of the scheme's, and
/// defaults for all others. Throws Error(Usage) for an unknown calibrator, an unknown parameter, a
/// value that is not accepted or a scheme that the calibrator refuses.
[[nodiscard]] Choice makeChoice(std::string_view calibratorId, const GivenSettings& given,
                                SchemeKind scheme, Granularity granularity);

/// A number format as a choice on that tensor: min-max at its bits and granularity, with the same
/// levels and, but for the rounding of a scale to float32, the same scales. Throws Error(Usage) with
/// the reason where no choice says the same: elements that are no integers, scales that are stored or
/// found otherwise, scales of activations that follow from each token, parts of groups, tiles.
[[nodiscard]] Choice formatChoice(const BlockFormat& format, const TensorInfo& tensor);

/// A sentence for each setting of a choice that is not the default and has no effect, since schemes
/// of the chosen kind do not use it.
[[nodiscard]] std::vector<std::string> idleSettings(const Choice& choice);

/// What a choice is for one channel, of so many, that is looked at on its own: a scale per channel
/// is the one scale of its values. Throws Error(Usage) where a setting has a number for each of
/// another count of channels.
[[nodiscard]] Choice forOneChannel(const Choice& choice, std::uint64_t channel,
                                   std::uint64_t channels);

/// The granularity without options: weights per channel, all else per tensor.
[[nodiscard]] Granularity defaultGranularity(Role role);

}  // namespace calibscope
