// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/python/python_snippet.h"

#include "core/base/error.h"
#include "core/base/number_text.h"
#include "core/calibrators/calibrator.h"
#include "core/report/python/block_code.h"
#include "core/report/python/calibrator_code.h"
#include "core/report/python/python_code.h"
#include "core/tensor/container_kind.h"

#include <algorithm>
#include <array>
#include <optional>
#include <stdexcept>
#include <utility>

namespace calibscope {

namespace {

using python::Code;

constexpr std::array<std::pair<std::string_view, SnippetSubject>, 6> subjects = {
    {{"statistics", SnippetSubject::Statistics},
     {"histogram", SnippetSubject::Histogram},
     {"scale", SnippetSubject::Scale},
     {"metrics", SnippetSubject::Metrics},
     {"curve", SnippetSubject::Curve},
     {"block", SnippetSubject::Block}}};

std::string_view subjectText(SnippetSubject subject)
{
    for (const auto& [word, meant] : subjects)
        if (meant == subject)
            return word;
    return subjects.front().first;
}

/// Code behind other code, with two empty lines between.
void append(Code& code, Code further)
{
    code.text += (code.text.empty() || further.text.empty() ? "" : "\n\n") + further.text;
    code.needs.merge(further.needs);
    if (code.problem.empty())
        code.problem = std::move(further.problem);
}

bool hasChoice(SnippetSubject subject)
{
    return subject == SnippetSubject::Scale || subject == SnippetSubject::Metrics ||
           subject == SnippetSubject::Curve;
}

/// Comments that say what the program is of. Names come as literals: these hold no line end.
std::string header(const SnippetRequest& request)
{
    std::string text = "# Calibscope " CALIBSCOPE_VERSION ": " +
                       std::string(subjectText(request.subject)) + " of " +
                       python::literal(request.tensor.path) + "\n";
    if (hasChoice(request.subject)) {
        const Choice& choice = request.choice;
        if (!choice.recipe.empty() || !choice.preset.empty())
            text += (choice.recipe.empty() ? "# Preset " + python::literal(choice.preset)
                                           : "# Recipe " + python::literal(choice.recipe)) +
                    "\n";
        text += "# Calibrator " + choice.calibrator + ", scheme " +
                std::string(schemeText(choice.scheme.kind)) + ", per " + choice.granularity.text() +
                "\n# " + choice.settings.toText() + "\n";
    }
    if (request.subject == SnippetSubject::Block && request.format)
        text += "# Number format " + request.format->id + ", block " +
                std::to_string(request.block) + "\n";
    return text + "# Needs h5py and NumPy 1.22 or newer. Definitions: calib describe\n";
}

Code statistics(const SnippetRequest& request)
{
    std::vector<Column> columns = statsColumns(false, request.percentiles);
    const std::vector<double>& alphas = request.percentiles.alphas;
    std::string orders;
    for (std::size_t index = 0; index < alphas.size(); ++index)
        orders += (orders.empty() ? "" : ", ") + std::string("(") +
                  python::literal(columns[columns.size() - alphas.size() + index].id) + ", " +
                  python::literal(alphas[index]) + ")";
    return {.text = "for name, value in statistics(batches, [" + orders +
                    "], of=" + std::string(python::domainFunction(request.percentiles.domain)) +
                    "):\n    show(name, value)\n",
            .needs = {"statistics"}};
}

Code histogram(const SnippetRequest& request)
{
    Code code = python::histogramCode(request.histogram);
    const bool hasEdges = python::hasOwnEdges(request.histogram.growth);
    code.text =
        (hasEdges ? "at, counts = " + code.text
                  : "low, high, counts = " + code.text + "\nat = edges(low, high, counts)") +
        "\nprint(\"low high count\")\n"
        "for index, number in enumerate(counts):\n"
        "    print(float(at[index]), float(at[index + 1]), int(number))\n";
    return code;
}

/// The function that finds the clip range by the ranges of other tensors.
Code propagated(const SnippetRequest& request)
{
    const std::vector<RangeSource>& sources = request.choice.rangeFrom;
    if (sources.size() != request.rangeTensors.size())
        throw std::invalid_argument("a propagated range needs the tensors that it comes from");
    Code code;
    std::string clips;
    for (std::size_t index = 0; index < sources.size(); ++index) {
        const std::string name = "calibrate_" + std::to_string(index);
        append(code, python::calibratorCode(
                         {.calibrator = sources[index].calibrator,
                          .settings = sources[index].settings,
                          .scheme = sources[index].scheme,
                          .hasSamples = request.rangeTensors[index].batchAxis.has_value()},
                         name));
        const TensorPart part{.batches = request.part.batches};
        const Code read = python::tensorCode(request.rangeTensors[index], part);
        code.needs.insert(read.needs.begin(), read.needs.end());
        clips += "        " + name + "(" + read.text + ")[0],\n";
    }
    std::string largest = "max(clips)";
    if (request.choice.scheme.isAffine())
        largest = "(min(low for low, high in clips), max(high for low, high in clips))";
    append(code, {.text = "def calibrate(batches):\n    clips = [\n" + clips +
                          "    ]\n    clips = [clip for clip in clips if clip is not None]\n"
                          "    if not clips or finite(batches).size == 0:\n"
                          "        return None, ([], [])\n"
                          "    return " +
                          largest + ", ([], [])\n"});
    return code;
}

Code choiceFunctions(const SnippetRequest& request)
{
    const Choice& choice = request.choice;
    Code code = python::schemeCode(choice.scheme);
    if (choice.rangeFrom.empty())
        append(code, python::calibratorCode({.calibrator = choice.calibrator,
                                             .settings = choice.settings,
                                             .scheme = choice.scheme,
                                             .hasSamples = request.tensor.batchAxis.has_value()},
                                            "calibrate"));
    else
        append(code, propagated(request));
    return code;
}

/// The axis of the scales and its length; nothing for one scale.
std::optional<std::pair<int, std::uint64_t>> scaleAxis(const SnippetRequest& request)
{
    if (request.choice.granularity == Granularity::Tensor || !request.tensor.channelAxis)
        return std::nullopt;
    TensorInfo tensor = request.tensor;
    if (request.choice.granularity == Granularity::Row)  // the other axis of a matrix
        tensor.channelAxis = *tensor.channelAxis == 0 ? 1 : 0;
    return std::pair(*python::channelAxisOfBatches(tensor), tensor.channelCount());
}

/// The quantizer of the clip range that those batches got.
std::string quantizerOf(const SnippetRequest& request, const std::string& batches)
{
    return python::takesData(request.choice.scheme) ? "scheme(clip, finite(" + batches + "))"
                                                    : "scheme(clip)";
}

std::string loopOver(const SnippetRequest& request, const std::pair<int, std::uint64_t>& axis)
{
    return "for index in range(" + std::to_string(axis.second) +
           "):\n    one = channel(batches, axis=" + std::to_string(axis.first) +
           ", index=index)\n    clip, curve = calibrate(one)\n    q = " +
           quantizerOf(request, "one") + "\n";
}

Code scale(const SnippetRequest& request)
{
    if (const auto axis = scaleAxis(request))
        return {.text = loopOver(request, *axis) + "    show_scale(clip, q, f\"[{index}]\")\n",
                .needs = {"channel", "show_scale"}};
    return {.text = "clip, curve = calibrate(batches)\nshow_scale(clip, " +
                    quantizerOf(request, "batches") + ")\n",
            .needs = {"show_scale"}};
}

Code metrics(const SnippetRequest& request)
{
    Code code{.text = "clip, curve = calibrate(batches)\nq = " + quantizerOf(request, "batches") +
                      "\nx = finite(batches)\n"
                      "parts = [(x, quantized(x, q), is_clipped(x, q))]\n",
              .needs = {"metrics", "quantizer"}};
    if (const auto axis = scaleAxis(request)) {
        code.text = "parts = []\n" + loopOver(request, *axis) +
                    "    x = finite(one)\n"
                    "    parts.append((x, quantized(x, q), is_clipped(x, q)))\n";
        code.needs.insert("channel");
    }
    code.text += "x, became, clipped = (np.concatenate(part) for part in zip(*parts))\n"
                 "for name, value in metrics(x, became, clipped) if x.size else ():\n"
                 "    show(name, value)\n";
    return code;
}

Code curve(const SnippetRequest& request)
{
    if (request.choice.granularity != Granularity::Tensor || !request.choice.rangeFrom.empty() ||
        !calibrator(request.choice.calibrator).hasCurve)
        return {.text = {},
                .problem = "there is no curve: " + request.choice.calibrator +
                           " searches nothing, or a curve for each channel, or takes a range"};
    const bool iterates = request.choice.calibrator == "l2";
    return {.text = std::string("clip, curve = calibrate(batches)\nprint(\"") +
                    (iterates ? "scale error" : "threshold value") +
                    "\")\nfor place, value in zip(*curve):\n"
                    "    print(float(place), float(value))\n"};
}

Code block(const SnippetRequest& request)
{
    if (!request.format)
        throw std::invalid_argument("a block needs the number format that it is under");
    return python::blockCode(request.tensor, *request.format, request.block);
}

Code mainLines(const SnippetRequest& request)
{
    switch (request.subject) {
    case SnippetSubject::Statistics: return statistics(request);
    case SnippetSubject::Histogram: return histogram(request);
    case SnippetSubject::Scale: return scale(request);
    case SnippetSubject::Metrics: return metrics(request);
    case SnippetSubject::Curve: return curve(request);
    case SnippetSubject::Block: return block(request);
    }
    return {};
}

}  // namespace

SnippetSubject parseSnippetSubject(std::string_view word)
{
    std::string known;
    for (const auto& [text, subject] : subjects) {
        if (text == word)
            return subject;
        known += (known.empty() ? "" : ", ") + std::string(text);
    }
    throw Error(Fault::Usage,
                "there is no snippet of " + std::string(word) + "; available: " + known);
}

PythonSnippet pythonSnippet(const SnippetRequest& request)
{
    // A tensor of another container has its id as rule.
    if (std::ranges::find(containerKinds, request.tensor.layoutRule, &ContainerKind::id) !=
        containerKinds.end())
        return {.text = {},
                .problem = "no Python for what is in no HDF5 file: the lines read with h5py"};
    if (request.tensor.mask || std::ranges::any_of(request.rangeTensors, [](const TensorInfo& one) {
            return one.mask.has_value();
        }))
        return {.text = {},
                .problem = "no Python for a tensor with a mask: the lines read all of it"};
    if (hasChoice(request.subject) && request.choice.granularity.isGroup())
        return {.text = {}, .problem = "no Python for scales of groups"};
    Code code;
    if (hasChoice(request.subject))
        append(code, choiceFunctions(request));
    Code lines = mainLines(request);
    const Code read = python::tensorCode(request.tensor, request.part);
    lines.text = "batches = " + read.text + "\n" + lines.text;
    lines.needs.insert(read.needs.begin(), read.needs.end());
    append(code, std::move(lines));
    if (!code.problem.empty())
        return {.text = {}, .problem = code.problem};
    return {.text = header(request) + python::library(code.needs) +
                    "\n\nFILE = " + python::literal(request.file) + "\n\n\n" + code.text};
}

}  // namespace calibscope
