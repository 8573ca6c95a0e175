#include "core/report/python/histogram_code.h"

#include <string>

namespace calibscope::python {

Code histogramCode(const HistogramSpec& spec)
{
    if (spec.growth != "fixed" && spec.growth != "double" && spec.growth != "redistribute")
        return {.text = {},
                .problem = "no Python for the growth rule " + spec.growth +
                           ": it copies a tool's bin edges to the last bit"};
    const std::string function = "grow_" + spec.growth;
    return {.text = function + "(batches, bins=" + std::to_string(spec.bins) +
                    ", of=" + std::string(domainFunction(spec.domain)) + ")",
            .needs = {"equal_bins", function}};
}

std::string_view domainFunction(Domain domain)
{
    return domain == Domain::Magnitude ? "np.abs" : "np.positive";
}

}  // namespace calibscope::python
