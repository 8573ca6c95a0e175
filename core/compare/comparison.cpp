#include "core/compare/comparison.h"

#include <algorithm>

namespace calibscope {

std::optional<double> ChoiceComparison::scaleRatio() const
{
    if (!a.problem.empty() || !b.problem.empty())
        return std::nullopt;
    return b.whole.quantizer.scale / a.whole.quantizer.scale;
}

std::optional<double> ChoiceComparison::sqnrLossDb() const
{
    if (!transferred || !b.problem.empty())
        return std::nullopt;
    const std::optional<double> own = b.whole.metric("sqnr_db");
    const auto stale =
        std::ranges::find(transferred->metrics, "sqnr_db", &MetricValues::value_type::first);
    if (!own || stale == transferred->metrics.end())
        return std::nullopt;
    return *own == stale->second ? 0.0 : *own - stale->second;
}

}  // namespace calibscope
