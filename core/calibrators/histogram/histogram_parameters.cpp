// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/calibrators/histogram/histogram_parameters.h"

#include "core/stats/growth_rule.h"

#include <stdexcept>

namespace calibscope {

Parameter binsParameter(int fallback, std::string help)
{
    constexpr double mostBins = 262144;  // 2^18: where the rule "double" begins to merge bins
    return {.id = "bins",
            .label = "Bins",
            .help = std::move(help),
            .kind = Parameter::Kind::Integer,
            .fallback = std::to_string(fallback),
            .least = 2,
            .greatest = mostBins,
            .step = 1.0};
}

Parameter growthParameter(std::string_view fallback, std::string help)
{
    Parameter parameter{.id = "growth",
                        .label = "Growth",
                        .help = std::move(help),
                        .kind = Parameter::Kind::Choice,
                        .fallback = std::string(fallback)};
    for (const GrowthRule& rule : growthRules())
        parameter.words.emplace_back(rule.id);
    return parameter;
}

Parameter wholeOrWord(std::string id, std::string label, std::string help, Range range,
                      const std::string& word)
{
    return {.id = std::move(id),
            .label = std::move(label),
            .help = std::move(help),
            .kind = Parameter::Kind::NumberOrWord,
            .fallback = word,
            .least = range.low,
            .greatest = range.high,
            .step = 1.0,
            .words = {word},
            .isWhole = true};
}

HistogramSpec histogramSpec(const Settings& settings, Domain domain)
{
    return {.growth = settings.text("growth"), .bins = settings.integer("bins"), .domain = domain};
}

const Histogram& neededHistogram(const TensorProfile& profile, const HistogramSpec& spec)
{
    const Histogram* histogram = profile.histogram(spec);
    if (histogram == nullptr)
        throw std::invalid_argument("a histogram that the calibrator needs was not collected");
    return *histogram;
}

}  // namespace calibscope
