// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/find_by_id.h"
#include "core/stats/growth_rule.h"

#include "growth_rules.decl.inc"

namespace calibscope {

const std::vector<GrowthRule>& growthRules()
{
    static const std::vector<GrowthRule> rules = sortedByOrder(std::vector<GrowthRule>{
#include "growth_rules.calls.inc"
    });
    return rules;
}

const GrowthRule& growthRule(std::string_view id)
{
    return findById(growthRules(), id, "growth rule");
}

bool canCount(const HistogramSpec& spec)
{
    return spec.domain != Domain::Signed || growthRule(spec.growth).countsSigned;
}

Histogram emptyHistogram(const HistogramSpec& spec)
{
    if (!canCount(spec))
        throw Error(Fault::Usage, "growth " + spec.growth +
                                      " counts magnitudes only; choose the domain magnitude, or "
                                      "growth fixed or redistribute");
    Histogram histogram{.spec = spec, .low = 0.0, .high = 0.0, .counts = {}, .notes = {}};
    histogram.counts.resize(static_cast<std::size_t>(spec.bins));
    return histogram;
}

}  // namespace calibscope
