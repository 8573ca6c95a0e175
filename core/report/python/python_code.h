// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/quant/scheme.h"
#include "core/stats/histogram.h"
#include "core/tensor/tensor_info.h"
#include "core/tensor/tensor_part.h"

#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace calibscope::python {

/// Lines of Python, and the texts in resources/python whose functions they call.
struct Code
{
    std::string text;
    std::set<std::string, std::less<>> needs = {};  ///< "read", "entropy": without ".py"
    std::string problem = {};  ///< why there is no such code, as a sentence; empty: there is
};

/// A text as a Python literal; one of bytes where it is not UTF-8. Holds no line end, so that it
/// may also stand in a comment.
[[nodiscard]] std::string literal(std::string_view text);
/// A number as a Python literal that reads back to the same double.
[[nodiscard]] std::string literal(double value);

/// The texts of resources/python of these names, imports first, two empty lines between functions.
/// Throws std::invalid_argument for a name that there is not.
[[nodiscard]] std::string library(const std::set<std::string, std::less<>>& names);

/// Whether the Python of a growth rule gives edges, as a tool rounds them, and counts; else lower
/// end, upper end and counts of equal bins.
[[nodiscard]] bool hasOwnEdges(std::string_view growth);

/// A call that makes this histogram of `batches`. A problem for the rules of pytorch-quantization,
/// which copy its edges in float32.
[[nodiscard]] Code histogramCode(const HistogramSpec& spec);

/// The function that gives what of the values is counted: "np.abs" or "np.positive".
[[nodiscard]] std::string_view domainFunction(Domain domain);

/// A function `scheme(clip)` that gives the quantizer of a clip range (a threshold under symmetric
/// schemes) as resources/python/symmetric.py and affine.py have it. A problem where the scheme
/// copies another tool's arithmetic (zero point from the nearer end, divisor ratio).
[[nodiscard]] Code schemeCode(const Scheme& scheme);
/// Whether that function is `scheme(clip, x)`: the data decide on unsigned levels.
[[nodiscard]] bool takesData(const Scheme& scheme);

/// An expression that reads a part of a tensor from the file named by the variable FILE: its
/// batches, each with the samples along axis 0. `tensor` has its axes as in the file.
[[nodiscard]] Code tensorCode(const TensorInfo& tensor, const TensorPart& part);

/// The channel axis with the batch axis in front, as the batches have it; nothing without one.
[[nodiscard]] std::optional<int> channelAxisOfBatches(const TensorInfo& tensor);

}  // namespace calibscope::python
