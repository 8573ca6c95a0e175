// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace calibscope {

/// resources/docs/algorithms.md: what resources/describe/algorithms.md says, with the descriptors
/// of calibrators, growth rules, metrics, recipes and presets in their places.
[[nodiscard]] std::string algorithmsPage();

/// The parts of that page about an id, of whatever kind: a calibrator and a growth rule can share
/// one. Throws Error(Usage) for an id that nothing has.
[[nodiscard]] std::string algorithmsPagePart(std::string_view id);

}  // namespace calibscope
