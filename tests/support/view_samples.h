// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/protocol/messages.h"
#include "core/recipes/make_choice.h"
#include "tests/support/profiles.h"
#include "tests/support/tested_document.h"

#include <cmath>
#include <memory>
#include <vector>

namespace calibscope::test {

/// Half of a bell: 4096 magnitudes up to 4, more of the small ones, with a few
/// far out.
inline std::vector<float> bellValues()
{
    std::vector<float> values;
    for (int index = 0; index < 4096; ++index) {
        const double share = (index + 0.5) / 4096.0;
        values.push_back(static_cast<float>(-std::log(1.0 - share) * (index % 2 ? -0.5 : 0.5)));
    }
    return values;
}

inline Choice choiceOf(const char* calibrator, const GivenSettings& given = {})
{
    return makeChoice(calibrator, given, SchemeKind::SymmetricRestricted, Granularity::Tensor);
}

/// A profile as the engine sends it: with its sketch and with the histograms of
/// these choices.
inline TensorProfile profileOf(const std::vector<float>& values, const std::vector<Choice>& choices)
{
    TensorProfile profile;
    profile.info = {.name = "a", .path = "/a", .role = Role::Activation, .shape = {values.size()}};
    profile.moments.add(values);
    SketchCounter counter;
    counter.add(values);
    profile.sketch = counter.sketch();
    for (const Choice& choice : choices) {
        const auto& needs = calibrator(choice.calibrator).needs;
        if (!needs)
            continue;
        const CalibratorNeeds wanted =
            needs({.settings = choice.settings, .scheme = choice.scheme}, profile.extents());
        for (const HistogramSpec& spec : wanted.histograms)
            profile.histograms.push_back(grownHistogram(values, spec));
    }
    return profile;
}

/// viewFor() of the request, with a profile that estimates can be made from.
inline protocol::TensorView estimableView(const protocol::ViewRequest& request)
{
    protocol::TensorView view = viewFor(request);
    view.profile = profileOf(bellValues(), {choiceOf("mse"), choiceOf("entropy")});
    return view;
}

/// What the engine would answer: profile, both histograms, and thresholds of 1.
inline protocol::TensorView answerTo(const protocol::ViewRequest& request,
                                     const std::vector<float>& values)
{
    protocol::TensorView view = viewFor(request);
    view.profile = profileOf(values, {});
    view.profile.info.path = "/a";
    for (const HistogramSpec& spec : request.histograms)
        view.profile.histograms.push_back(grownHistogram(values, spec));
    for (Outcome& outcome : view.outcomes)
        outcome.whole.quantizer = makeQuantizer({}, {.threshold = 1.0}).quantizer;
    return view;
}

}  // namespace calibscope::test
