// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/dump/layouts/recorded_op.h"

#include "core/base/error.h"
#include "core/base/json_object.h"

#include <algorithm>
#include <utility>

namespace calibscope::layouts {

namespace {

void readGeometry(AttributeReader& attributes, OpGeometry& geometry)
{
    geometry = {.kernelShape = attributes.integers("kernel_shape"),
                .strides = attributes.integers("strides"),
                .pads = attributes.integers("pads"),
                .dilations = attributes.integers("dilations"),
                .outputPadding = attributes.integers("output_padding"),
                .outputShape = attributes.integers("output_shape"),
                .group = attributes.integer("group"),
                .autoPad = attributes.text("auto_pad").value_or(""),
                .transA = attributes.integer("transA"),
                .transB = attributes.integer("transB"),
                .alpha = attributes.number("alpha"),
                .beta = attributes.number("beta")};
}

bool isObject(const std::string& json)
{
    try {
        return parseJson(json, {}).is_object();
    } catch (const Error&) {
        return false;
    }
}

void readOpAttributes(AttributeReader& attributes, TensorInfo& info)
{
    std::string json = attributes.text("op_attributes").value_or("");
    if (json.empty())
        return;
    if (isObject(json))
        info.opAttributes = std::move(json);
    else
        attributes.passOver("op_attributes", "it is not the text of a JSON object");
}

void readSamples(AttributeReader& attributes, TensorInfo& info)
{
    const std::vector<std::int64_t> samples = attributes.integers("samples");
    if (samples.empty())
        return;
    if (std::ranges::any_of(samples, [](std::int64_t sample) { return sample < 0; }))
        attributes.passOver("samples", "it holds a number below 0");
    else if (info.shape.empty() || samples.size() != info.shape.front())
        attributes.passOver(
            "samples",
            "it lists " + std::to_string(samples.size()) + " samples, and axis 0 is as long as " +
                (info.shape.empty() ? std::string("nothing") : std::to_string(info.shape.front())));
    else
        info.samples.assign(samples.begin(), samples.end());
}

}  // namespace

void readOp(AttributeReader& attributes, TensorInfo& info)
{
    info.graphName = attributes.text("graph_name").value_or("");
    info.node = attributes.text("node").value_or("");
    info.consumer = attributes.text("consumer").value_or("");
    const std::int64_t output = attributes.integer("output_index").value_or(0);
    if (output < 0)
        attributes.passOver("output_index",
                            std::to_string(output) + " is not the place of an output");
    info.outputIndex = static_cast<std::uint64_t>(std::max<std::int64_t>(output, 0));
    readGeometry(attributes, info.geometry);
    readOpAttributes(attributes, info);
    readSamples(attributes, info);
}

}  // namespace calibscope::layouts
