#include "app/calib/preset_text.h"

#include "core/recipes/make_choice.h"
#include "core/recipes/own_files.h"
#include "core/recipes/stand_in.h"

#include <algorithm>

namespace calibscope::cli {

Choice choiceFromText(const std::string& text, Role role)
{
    const auto [id, given] = idAndSettings(text);
    const Granularity granularity = defaultGranularity(role);
    const bool isPublished = std::ranges::find(presets(), id, &Preset::id) != presets().end();
    const bool isCalibrator =
        std::ranges::find(calibrators(), id, &Calibrator::id) != calibrators().end();
    if (isCalibrator && !isPublished)
        return makeChoice(id, given, SchemeKind::SymmetricRestricted, granularity);
    return makeChoice(presetOrOwn(id), given, SchemeKind::SymmetricRestricted, granularity);
}

}  // namespace calibscope::cli
