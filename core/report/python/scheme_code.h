#pragma once

#include "core/quant/scheme.h"
#include "core/report/python/python_code.h"

#include <string_view>

namespace calibscope::python {

/// A function `scheme(clip)` that gives the quantizer of a clip range (a threshold under symmetric
/// schemes) as resources/python/symmetric.py and affine.py have it. A problem where the scheme
/// copies another tool's arithmetic.
[[nodiscard]] Code schemeCode(const Scheme& scheme);

}  // namespace calibscope::python
