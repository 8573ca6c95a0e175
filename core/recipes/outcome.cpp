#include "core/recipes/outcome.h"

#include "core/base/error.h"

#include <algorithm>

namespace calibscope {

std::string_view granularityText(Granularity granularity)
{
    switch (granularity) {
    case Granularity::Tensor: return "tensor";
    case Granularity::Channel: return "channel";
    case Granularity::Row: return "row";
    }
    return "tensor";
}

Granularity parseGranularity(std::string_view text)
{
    for (const Granularity granularity :
         {Granularity::Tensor, Granularity::Channel, Granularity::Row})
        if (granularityText(granularity) == text)
            return granularity;
    throw Error(Fault::Usage, "there is no granularity " + std::string(text) +
                                  "; available: tensor, channel, row");
}

bool Choice::isSameComputation(const Choice& other) const
{
    return calibrator == other.calibrator && settings == other.settings && scheme == other.scheme &&
           granularity == other.granularity && rangeFrom == other.rangeFrom;
}

std::optional<double> ScaleRow::metric(std::string_view id) const
{
    const auto found = std::ranges::find(metrics, id, &MetricValues::value_type::first);
    return found == metrics.end() ? std::nullopt : std::optional{found->second};
}

}  // namespace calibscope
