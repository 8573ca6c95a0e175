// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/describe/algorithms_page.h"

#include "core/base/error.h"
#include "core/base/join.h"
#include "core/report/describe/sections.h"

#include <algorithm>
#include <array>
#include <span>
#include <utility>
#include <vector>

namespace calibscope {

namespace {

/// Parts behind each other, with an empty line between.
template <typename Descriptors, typename Section>
std::string sectionsOf(const Descriptors& descriptors, const Section& section)
{
    return joinedText(descriptors, "\n", section);
}

/// The descriptor of that id as a list of one or none.
template <typename Descriptor>
std::span<const Descriptor> withId(const std::vector<Descriptor>& list, std::string_view id)
{
    const auto found = std::ranges::find(list, id, &Descriptor::id);
    return found == list.end() ? std::span<const Descriptor>()
                               : std::span<const Descriptor>(&*found, 1);
}

}  // namespace

std::string algorithmsPage()
{
    std::string page = std::string(describe::writtenText("algorithms")) + "\n";
    const std::array<std::pair<std::string_view, std::string>, 6> parts = {{
        {"scheme-parameters", describe::parameterTable(schemeParameters())},
        {"growth-rules", describe::growthRules(growthRules())},
        {"calibrators", sectionsOf(calibrators(), describe::calibratorSection)},
        {"recipes", sectionsOf(allRecipes(), describe::recipeSection)},
        {"presets", describe::presetTable(presets())},
        {"metrics", describe::metricTable(metrics())},
    }};
    for (const auto& [place, part] : parts)
        page = describe::withPart(std::move(page), place, part);
    return page;
}

std::string algorithmsPagePart(std::string_view id)
{
    const std::array<std::string, 6> parts = {
        sectionsOf(withId(calibrators(), id), describe::calibratorSection),
        describe::parameterTable(withId(schemeParameters(), id)),
        describe::growthRules(withId(growthRules(), id)),
        sectionsOf(withId(allRecipes(), id), describe::recipeSection),
        describe::presetTable(withId(presets(), id)),
        describe::metricTable(withId(metrics(), id))};
    std::string text;
    for (const std::string& part : parts)
        text += (text.empty() || part.empty() ? "" : "\n") + part;
    if (text.empty())
        throw Error(Fault::Usage,
                    "there is no calibrator, parameter of schemes, growth rule, recipe, preset or "
                    "metric {}; calib describe without an id lists all",
                    id);
    return text;
}

}  // namespace calibscope
