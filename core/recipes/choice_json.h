// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/json_object.h"
#include "core/recipes/outcome.h"

#include <nlohmann/json.hpp>

namespace calibscope {

/// A choice as session files and the engine's messages have it, and rules of recipes in part:
///
///     {"calibrator": ID, "settings": {ID: TEXT, ...}, "scheme": KIND, "granularity": WORD,
///      "recipe", "preset", "note": TEXT, "range_from": [{"tensor", "path", ... as above}]}
///
/// Settings are all of them, those of the scheme included. Texts and lists that are empty are left
/// out.
[[nodiscard]] nlohmann::json choiceJson(const Choice& choice);

/// The choice again, made anew by makeChoice(): settings that are absent are the defaults, the
/// scheme symmetric-restricted, the granularity per tensor. Members that are not known are left
/// alone. Throws the object's Error, which names the place, for a calibrator, setting or scheme
/// that there is not.
[[nodiscard]] Choice choiceFrom(const JsonObject& object);

}  // namespace calibscope
