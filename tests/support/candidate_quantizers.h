// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/collect/analyse.h"
#include "core/collect/collect_profile.h"
#include "core/recipes/candidates.h"

#include <span>
#include <utility>
#include <vector>

namespace calibscope::test {

/// The quantizers of all candidates of a tensor that have one scale for it, at each number of bits.
inline std::vector<std::pair<int, Quantizer>> candidateQuantizers(const ValueSource& source,
                                                                  const Consumers& consumers,
                                                                  std::span<const int> bits)
{
    std::vector<Choice> choices;
    for (const Candidate& candidate : candidatesFor(source.info, consumers, recipes())) {
        if (!candidate.choice.rangeFrom.empty())
            continue;
        choices.push_back(candidate.choice);
        choices.back().granularity = Granularity::Tensor;
    }
    TensorProfile profile = collectProfile(source);
    std::vector<std::pair<int, Quantizer>> quantizers;
    for (const Outcome& outcome :
         analyse(source, profile, choices, {.effort = MetricEffort::None})) {
        if (!outcome.problem.empty())
            continue;
        for (const int count : bits) {
            Scheme scheme =
                schemeFor(outcome.choice.scheme, {profile.extents().min, profile.extents().max});
            scheme.bits = count;
            quantizers.emplace_back(count, makeQuantizer(scheme, outcome.whole.clip).quantizer);
        }
    }
    return quantizers;
}

}  // namespace calibscope::test
