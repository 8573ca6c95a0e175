#include "core/report/describe/algorithms_page.h"

#include "core/base/error.h"
#include "core/report/describe/sections.h"

#include <algorithm>
#include <array>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

namespace calibscope {

namespace {

/// Parts behind each other, with an empty line between.
template <typename Descriptors, typename Section>
std::string sectionsOf(const Descriptors& descriptors, const Section& section)
{
    std::string text;
    for (const auto& descriptor : descriptors)
        text += (text.empty() ? "" : "\n") + section(descriptor);
    return text;
}

void replaceLine(std::string& page, const std::string& placeholder, const std::string& part)
{
    const std::string line = "\n{" + placeholder + "}\n";
    const std::size_t place = page.find(line);
    if (place == std::string::npos)
        throw std::invalid_argument("the page of algorithms lacks {" + placeholder + "}");
    page.replace(place, line.size(), "\n" + part);
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
    replaceLine(page, "scheme-parameters", describe::parameterTable(schemeParameters()));
    replaceLine(page, "growth-rules", describe::growthRules(growthRules()));
    replaceLine(page, "calibrators", sectionsOf(calibrators(), describe::calibratorSection));
    replaceLine(page, "recipes", sectionsOf(recipes(), describe::recipeSection));
    replaceLine(page, "presets", describe::presetTable(presets()));
    replaceLine(page, "metrics", describe::metricTable(metrics()));
    return page;
}

std::string algorithmsPagePart(std::string_view id)
{
    const std::array<std::string, 6> parts = {
        sectionsOf(withId(calibrators(), id), describe::calibratorSection),
        describe::parameterTable(withId(schemeParameters(), id)),
        describe::growthRules(withId(growthRules(), id)),
        sectionsOf(withId(recipes(), id), describe::recipeSection),
        describe::presetTable(withId(presets(), id)),
        describe::metricTable(withId(metrics(), id))};
    std::string text;
    for (const std::string& part : parts)
        text += (text.empty() || part.empty() ? "" : "\n") + part;
    if (text.empty())
        throw Error(Fault::Usage, "there is no calibrator, parameter of schemes, growth rule, "
                                  "recipe, preset or metric " +
                                      std::string(id) + "; calib describe without an id lists all");
    return text;
}

}  // namespace calibscope
