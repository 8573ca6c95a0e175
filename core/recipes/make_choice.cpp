// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recipes/make_choice.h"

#include "core/recipes/channel_choices.h"

#include <vector>

namespace calibscope {

namespace {

std::vector<Parameter> parametersOf(const Calibrator& algorithm)
{
    std::vector<Parameter> parameters = algorithm.parameters;
    const std::vector<Parameter>& shared = schemeParameters();
    parameters.insert(parameters.end(), shared.begin(), shared.end());
    return parameters;
}

}  // namespace

Choice makeChoice(std::string_view calibratorId, const GivenSettings& given, SchemeKind scheme,
                  Granularity granularity)
{
    const Calibrator& algorithm = calibrator(calibratorId);
    Choice choice{.recipe = {},
                  .preset = {},
                  .calibrator = std::string(calibratorId),
                  .settings = Settings(parametersOf(algorithm), given, calibratorId),
                  .scheme = {},
                  .granularity = granularity,
                  .note = {}};
    choice.scheme = schemeFrom(scheme, choice.settings);
    checkScheme(algorithm, choice.scheme);
    return choice;
}

std::vector<std::string> idleSettings(const Choice& choice)
{
    using Schemes = Parameter::Schemes;
    const bool isAffine = choice.scheme.isAffine();
    const Schemes other = isAffine ? Schemes::Symmetric : Schemes::Affine;
    std::vector<std::string> notes;
    for (const Parameter& parameter : parametersOf(calibrator(choice.calibrator)))
        if (parameter.schemes == other && !choice.settings.is(parameter.id, parameter.fallback))
            notes.push_back(parameter.id + "=" + choice.settings.text(parameter.id) +
                            " has no effect under " + (isAffine ? "an affine" : "a symmetric") +
                            " scheme");
    return notes;
}

Choice forOneChannel(const Choice& choice, std::uint64_t channel, std::uint64_t channels)
{
    if (choice.granularity != Granularity::Channel)
        return choice;
    Choice one = ChannelChoices(choice, channels).of(channel);
    one.granularity = Granularity::Tensor;
    return one;
}

Granularity defaultGranularity(Role role)
{
    return role == Role::Weight ? Granularity::Channel : Granularity::Tensor;
}

}  // namespace calibscope
