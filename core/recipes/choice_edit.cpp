// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recipes/choice_edit.h"

#include "core/recipes/make_choice.h"

#include <array>

namespace calibscope {

namespace {

constexpr std::array kinds = {SchemeKind::SymmetricRestricted, SchemeKind::SymmetricFull,
                              SchemeKind::Affine, SchemeKind::AffineReal};
template <typename Values, typename Text>
std::vector<std::string> words(const Values& values, Text text)
{
    std::vector<std::string> list;
    for (const auto value : values)
        list.emplace_back(text(value));
    return list;
}

}  // namespace

const Parameter& schemeKindParameter()
{
    static const Parameter parameter = choiceParameter(
        "scheme", "Scheme",
        "Symmetric: the zero point is 0, restricted leaves the lowest integer out. Affine: the "
        "ends are independent of each other, with a zero point that is whole, or real.",
        words(kinds, schemeText));
    return parameter;
}

const Parameter& granularityParameter()
{
    static const Parameter parameter =
        choiceParameter("granularity", "Granularity",
                        "One scale for the whole tensor, or for each of its channels, or for each "
                        "row of a matrix, or for groups of neighbours that a weight's layer sums.",
                        {"tensor", "channel", "row", "g16", "g32", "g64", "g128"});
    return parameter;
}

std::string settingOf(const Choice& choice, std::string_view id)
{
    if (id == schemeKindParameter().id)
        return std::string(schemeText(choice.scheme.kind));
    if (id == granularityParameter().id)
        return choice.granularity.text();
    return choice.settings.text(id);
}

Choice withSetting(const Choice& choice, std::string_view id, const std::string& value)
{
    const auto& entries = choice.settings.entries();
    GivenSettings given(entries.begin(), entries.end());
    SchemeKind kind = choice.scheme.kind;
    Granularity granularity = choice.granularity;
    if (id == schemeKindParameter().id)
        kind = parseSchemeKind(value);
    else if (id == granularityParameter().id)
        granularity = parseGranularity(value);
    else
        given[std::string(id)] = value;
    Choice changed = makeChoice(choice.calibrator, given, kind, granularity);
    changed.rangeFrom = choice.rangeFrom;
    if (changed.isSameComputation(choice))
        return choice;
    changed.rangeFrom.clear();
    return changed;
}

}  // namespace calibscope
