// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recipes/make_choice.h"

#include "core/base/error.h"
#include "core/recipes/channel_choices.h"

#include <string>
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

/// As a choice names it.
Granularity decidedGranularity(const BlockFormat& format, const TensorInfo& tensor)
{
    const Granularity& granularity = format.granularity;
    const auto last = static_cast<int>(tensor.shape.size()) - 1;
    const bool areRowsChannels = tensor.channelAxis == 0 || tensor.channelAxis == last;
    switch (granularity.kind) {
    case Granularity::Kind::Tensor: return granularity;
    case Granularity::Kind::Channel:
        if (tensor.channelCount() == 0)
            throw Error(Fault::Usage, "{} needs a channel axis", format.id);
        return granularity;
    case Granularity::Kind::Row:
        if (tensor.role != Role::Weight)
            throw Error(
                Fault::Usage,
                "{} has a scale for each token, which follows while the network runs: there "
                "is none to decide on",
                format.id);
        if (tensor.channelCount() == 0 || !areRowsChannels)
            throw Error(Fault::Usage, "{} has rows that are no channels of this weight", format.id);
        return Granularity::Channel;
    case Granularity::Kind::Group:
        if (tensor.role != Role::Weight)
            throw Error(Fault::Usage, "{} has groups, which are of weights", format.id);
        if (!groupAxis(tensor, granularity.columns))
            throw Error(Fault::Usage, "{} leaves no whole groups along one axis of this weight",
                        format.id);
        return granularity;
    case Granularity::Kind::Tile: break;
    }
    throw Error(Fault::Usage, "{} has tiles, which are not written into a model", format.id);
}

}  // namespace

Choice formatChoice(const BlockFormat& format, const TensorInfo& tensor)
{
    const NumberFormat& numbers = format.element->numbers();
    if (!numbers.isInteger())
        throw Error(Fault::Usage, "{} has elements {}: only integers are written into a model",
                    format.id, format.element->id());
    const bool isAffine = format.rule == ScaleRule::Affine;
    const bool isUsual = (isAffine ? format.zeroInRange && !format.zeroIsFloat
                                   : format.rule == ScaleRule::Threshold && numbers.low() < 0) &&
                         !format.scales && format.search.kind == ScaleSearch::Kind::None &&
                         format.ties == Ties::ToEven && format.quotient == Quotient::Divided &&
                         !format.elementsByUnrounded;
    if (!isUsual)
        throw Error(Fault::Usage,
                    "{} has scales that no calibrator finds: float32 of the ends of each block are "
                    "written into a model",
                    format.id);
    GivenSettings given{{"bits", std::to_string(format.element->bits())}};
    if (isAffine && numbers.low() == 0)
        given["integers"] = "unsigned";
    const bool isHalf = !isAffine && format.divisor > numbers.largest();
    if (isHalf)
        given["divisor"] = "qmax+0.5";
    return makeChoice("min-max", given,
                      isAffine ? SchemeKind::Affine
                      : isHalf ? SchemeKind::SymmetricFull
                               : SchemeKind::SymmetricRestricted,
                      decidedGranularity(format, tensor));
}

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
