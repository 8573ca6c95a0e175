#include "app/calib/preset_text.h"

#include "core/base/error.h"
#include "core/recipes/make_choice.h"
#include "core/recipes/own_files.h"

#include <algorithm>
#include <string_view>

namespace calibscope::cli {

std::pair<std::string, GivenSettings> idAndSettings(const std::string& text)
{
    const std::size_t colon = text.find(':');
    std::string id = text.substr(0, colon);
    GivenSettings given;
    if (colon != std::string::npos)
        given = parseGivenSettings(std::string_view(text).substr(colon + 1), id);
    return {std::move(id), std::move(given)};
}

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
