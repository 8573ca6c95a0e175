// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/settings.h"
#include "core/quant/scheme.h"
#include "core/recipes/outcome.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace calibscope {

/// A calibrator with settings that a source or a tool uses.
struct Preset
{
    int order = 1000;  ///< position in lists
    std::string id;
    std::string title;
    std::string tool;    ///< or vendor whose it is; lists group by it
    std::string source;  ///< document and section, or tool, version and function
    std::string calibrator;
    GivenSettings settings;                  ///< of the calibrator and of the scheme
    std::optional<SchemeKind> scheme;        ///< none: the caller's
    std::optional<Granularity> granularity;  ///< none: the caller's
};

/// The embedded presets (resources/presets/*.json), in their order.
[[nodiscard]] const std::vector<Preset>& presets();
/// The preset of that id. Throws Error(Usage) that lists the known ones.
[[nodiscard]] const Preset& preset(std::string_view id);
/// A preset from JSON text; `origin` names it in errors. Throws Error(Usage) that says which member
/// is wrong.
[[nodiscard]] Preset presetFromJson(std::string_view json, std::string_view origin);

/// The preset's choice, with further values that replace its own. Scheme and granularity are used
/// where it has none.
[[nodiscard]] Choice makeChoice(const Preset& preset, const GivenSettings& further,
                                SchemeKind scheme, Granularity granularity);

}  // namespace calibscope
