// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/python/python_code.h"

#include "core/base/embedded_text.h"
#include "core/base/join.h"
#include "core/base/number_text.h"
#include "core/base/utf8.h"
#include "core/report/tables/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace calibscope::python {

namespace {

constexpr EmbeddedText texts[] = {
#include "python.inc"
};

constexpr std::string_view importBegin = "import ";
constexpr std::string_view fromBegin = "from ";

/// Moves the imports in front of a text to the others. h5py and NumPy stand behind the standard
/// library's, with an empty line between.
void takeImports(std::string_view& text, std::set<std::string>& standard,
                 std::set<std::string>& further)
{
    while (text.starts_with(importBegin) || text.starts_with(fromBegin)) {
        const std::size_t end = text.find('\n') + 1;
        const std::string line(text.substr(0, end));
        const bool isFurther = line.starts_with("import h5py") || line.starts_with("import numpy");
        (isFurther ? further : standard).insert(line);
        text.remove_prefix(end);
    }
    text.remove_prefix(std::min(text.find_first_not_of('\n'), text.size()));
}

/// Why there is no Python of the scheme; empty: there is.
std::string problemOf(const Scheme& scheme)
{
    const std::string end = ": it copies a tool's order of rounding";
    if (scheme.isAffine() && scheme.zeroPointRule == ZeroPointRule::FromNearerEnd)
        return "no Python for zero-point=from-nearer-end" + end;
    if (!scheme.isAffine() && scheme.divisor == Divisor::Ratio)
        return "no Python for divisor=ratio" + end;
    return {};
}

/// Arguments whose values are not the defaults of the Python.
std::string furtherArguments(const Scheme& scheme)
{
    std::string text;
    if (scheme.rounding != Rounding::HalfEven)
        text += std::string(", rounded=") +
                (scheme.rounding == Rounding::HalfAway ? "half_away" : "floor_half");
    if (scheme.scaleFloor > 0.0)
        text += ", floor=" + literal(scheme.scaleFloor);
    if (scheme.zeroScale > 0.0)
        text += ", zero_scale=" + literal(scheme.zeroScale);
    if (scheme.powerOfTwo)
        text += ", power_of_two=True";
    if (scheme.arithmetic != Arithmetic::Double)
        text += ", ends=single";
    if (scheme.arithmetic == Arithmetic::Float32)
        text += ", step=single";
    return text;
}

/// The call that makes the scheme's quantizer of `clip`.
std::string quantizerCall(const Scheme& scheme)
{
    const std::string ends = "lowest=" + std::to_string(scheme.lowLevel()) +
                             ", highest=" + std::to_string(scheme.highLevel());
    std::string call = "symmetric(clip, divisor=" + literal(scheme.divisorValue()) + ", " + ends;
    if (scheme.isAffine())
        call = "affine(clip, " + ends;
    if (scheme.kind == SchemeKind::AffineReal)
        call += ", real_zero_point=True";
    if (!scheme.isAffine() && scheme.zeroLevel() != 0)
        call += ", zero=" + std::to_string(scheme.zeroLevel());
    return call + furtherArguments(scheme) + ")";
}

struct SmallFloat
{
    ElementKind type;
    std::string_view arguments;  ///< of float8(): bits of the exponent, bias, special values
};

constexpr std::array<SmallFloat, 6> smallFloats = {
    {{ElementKind::Float8E4m3fn, "4, 7, \"fn\""},
     {ElementKind::Float8E5m2, "5, 15, \"ieee\""},
     {ElementKind::Float8E4m3, "4, 7, \"ieee\""},
     {ElementKind::Float8E4m3fnuz, "4, 8, \"fnuz\""},
     {ElementKind::Float8E5m2fnuz, "5, 16, \"fnuz\""},
     {ElementKind::Float8E4m3b11fnuz, "4, 11, \"fnuz\""}}};

/// The argument that says how stored elements become numbers; empty where NumPy knows.
Code decoding(const TensorInfo& tensor)
{
    if (tensor.elementType == ElementKind::Bfloat16)
        return {.text = ", decode=bfloat16", .needs = {"bfloat16"}};
    const auto* const found = std::ranges::find(smallFloats, tensor.elementType, &SmallFloat::type);
    if (found != smallFloats.end())
        return {.text =
                    ", decode=lambda stored: float8(stored, " + std::string(found->arguments) + ")",
                .needs = {"float8"}};
    const std::string read = elementText(tensor);
    if (storedTypeText(tensor) == read)
        return {};
    // Bits under another name: an integer of the same width that is read as something else.
    return {.text = ", decode=lambda stored: stored.view(" + literal(read) + ")"};
}

std::string datasets(const TensorInfo& tensor)
{
    if (tensor.parts.empty())
        return "[" + literal(tensor.path) + "]";
    return "[" +
           joinedText(tensor.parts, ", ", [](const std::string& part) { return literal(part); }) +
           "]";
}

}  // namespace

std::string literal(std::string_view text)
{
    if (validUtf8(text) == text)
        return jsonText(text);
    std::string bytes = "b\"";
    for (const char byte : text)
        bytes += fmt::format("\\x{:02x}", static_cast<unsigned char>(byte));
    return bytes + '"';
}

std::string literal(double value)
{
    if (std::isfinite(value))
        return numberText(value);
    return "float(\"" + numberText(value) + "\")";
}

std::string library(const std::set<std::string, std::less<>>& names)
{
    std::set<std::string> standard;
    std::set<std::string> further;
    std::string functions;
    std::size_t found = 0;
    for (const auto& [fileName, content] : texts) {
        const std::string name(
            fileName.substr(0, fileName.size() - std::string_view(".py").size()));
        if (!names.contains(name))
            continue;
        ++found;
        std::string_view text = content;
        takeImports(text, standard, further);
        functions += "\n\n" + std::string(text);
    }
    if (found != names.size())
        throw std::invalid_argument("there is no such text in resources/python");
    return joinedText(standard, "") + (standard.empty() ? "" : "\n") + joinedText(further, "") +
           functions;
}

bool hasOwnEdges(std::string_view growth)
{
    return growth == "centred-numpy" || growth == "as-needed-single";
}

Code histogramCode(const HistogramSpec& spec)
{
    constexpr std::array<std::string_view, 6> written{
        "fixed", "double", "redistribute", "fixed-torch", "centred-numpy", "as-needed-single"};
    if (std::ranges::find(written, spec.growth) == written.end())
        return {.text = {},
                .problem = "no Python for the growth rule " + spec.growth +
                           ": it copies a tool's bin edges to the last bit"};
    std::string function = "grow_" + spec.growth;
    std::ranges::replace(function, '-', '_');
    const std::string call = function + "(batches, bins=" + std::to_string(spec.bins);
    if (hasOwnEdges(spec.growth))
        return {.text = call + ")", .needs = {"single_edges", function}};
    return {.text = call + ", of=" + std::string(domainFunction(spec.domain)) + ")",
            .needs = {"equal_bins", function}};
}

std::string_view domainFunction(Domain domain)
{
    return domain == Domain::Magnitude ? "np.abs" : "np.positive";
}

Code schemeCode(const Scheme& scheme)
{
    if (std::string problem = problemOf(scheme); !problem.empty())
        return {.text = {}, .problem = std::move(problem)};
    Code code{.text = {}, .needs = {"quantizer", scheme.isAffine() ? "affine" : "symmetric"}};
    if (scheme.rounding != Rounding::HalfEven)
        code.needs.insert("roundings");
    if (scheme.arithmetic != Arithmetic::Double)
        code.needs.insert("single");
    if (!takesData(scheme)) {
        code.text = "def scheme(clip):\n    return " + quantizerCall(scheme) + "\n";
        return code;
    }
    code.text = "def scheme(clip, x):\n    if x.size and x.min() >= 0 and x.max() > 0:\n"
                "        return " +
                quantizerCall(schemeFor(scheme, {0.0, 1.0})) + "\n    return " +
                quantizerCall(schemeFor(scheme, {-1.0, 1.0})) + "\n";
    return code;
}

bool takesData(const Scheme& scheme)
{
    return !scheme.isAffine() && scheme.unsignedWhenPositive;
}

Code tensorCode(const TensorInfo& tensor, const TensorPart& part)
{
    Code decode = decoding(tensor);
    Code code{.text = "read(FILE, " + datasets(tensor), .needs = std::move(decode.needs)};
    code.needs.insert("read");
    if (tensor.batchAxis)
        code.text += ", batch_axis=" + std::to_string(*tensor.batchAxis);
    if (tensor.batchAxis && tensor.batchSize > 0)
        code.text += ", batch_size=" + std::to_string(tensor.batchSize);
    if (part.batches)
        code.text += ", batches=" + std::to_string(*part.batches);
    code.text += decode.text + ")";
    if (const auto axis = channelAxisOfBatches(tensor); part.channel && axis) {
        code.text = "channel(" + code.text + ", axis=" + std::to_string(*axis) +
                    ", index=" + std::to_string(*part.channel) + ")";
        code.needs.insert("channel");
    }
    return code;
}

std::optional<int> channelAxisOfBatches(const TensorInfo& tensor)
{
    if (!tensor.channelAxis || !tensor.batchAxis)
        return tensor.channelAxis;
    return *tensor.channelAxis + (*tensor.channelAxis < *tensor.batchAxis ? 1 : 0);
}

}  // namespace calibscope::python
