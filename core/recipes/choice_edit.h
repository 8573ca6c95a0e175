// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/parameter.h"
#include "core/recipes/outcome.h"

#include <string>
#include <string_view>

namespace calibscope {

/// The kind of a choice's scheme as if it were a parameter: id "scheme".
[[nodiscard]] const Parameter& schemeKindParameter();
/// What a choice has one scale for, as if it were a parameter: id "granularity".
[[nodiscard]] const Parameter& granularityParameter();

/// A choice's value of one of its calibrator's parameters, of the scheme's, or of the two above.
/// Another id throws std::invalid_argument.
[[nodiscard]] std::string settingOf(const Choice& choice, std::string_view id);

/// The choice with another value of one of these. What comes from no recipe and no preset any more
/// has no note, and a range of its own; an equal value changes nothing. Throws Error(Usage) for a
/// value that is not accepted, and for a scheme that the calibrator refuses.
[[nodiscard]] Choice withSetting(const Choice& choice, std::string_view id,
                                 const std::string& value);

}  // namespace calibscope
