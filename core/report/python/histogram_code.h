#pragma once

#include "core/report/python/python_code.h"
#include "core/stats/histogram.h"

namespace calibscope::python {

/// A call that makes this histogram of `batches`: lower end, upper end, counts. A problem for the
/// rules that copy a tool's edges in float32.
[[nodiscard]] Code histogramCode(const HistogramSpec& spec);

/// The function that gives what of the values is counted: "np.abs" or "np.positive".
[[nodiscard]] std::string_view domainFunction(Domain domain);

}  // namespace calibscope::python
