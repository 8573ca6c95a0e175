#include "core/recipes/make_choice.h"

#include <vector>

namespace calibscope {

Choice makeChoice(std::string_view calibratorId, const GivenSettings& given, SchemeKind scheme,
                  Granularity granularity)
{
    const Calibrator& algorithm = calibrator(calibratorId);
    std::vector<Parameter> parameters = algorithm.parameters;
    const std::vector<Parameter>& shared = schemeParameters();
    parameters.insert(parameters.end(), shared.begin(), shared.end());
    Choice choice{.recipe = {},
                  .preset = {},
                  .calibrator = std::string(calibratorId),
                  .settings = Settings(parameters, given, calibratorId),
                  .scheme = {},
                  .granularity = granularity,
                  .note = {}};
    choice.scheme = schemeFrom(scheme, choice.settings);
    checkScheme(algorithm, choice.scheme);
    return choice;
}

Choice forOneChannel(Choice choice)
{
    if (choice.granularity == Granularity::Channel)
        choice.granularity = Granularity::Tensor;
    return choice;
}

Granularity defaultGranularity(Role role)
{
    return role == Role::Weight ? Granularity::Channel : Granularity::Tensor;
}

}  // namespace calibscope
