// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/probed_model.h"

#include "core/base/error.h"
#include "core/model/external_data.h"
#include "core/model/tensor_values.h"

#include <onnx/onnx_pb.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <set>

namespace calibscope::model {

namespace {

void bringIn(::onnx::TensorProto& tensor, const std::string& path)
{
    if (!isExternal(tensor))
        return;
    const ExternalPlace place = externalPlace(tensor, path);
    const std::optional<std::uint64_t> stored = storedBytes(tensor, path);
    if (!stored && !place.length)
        throw Error(Fault::Input,
                    "{}: \"{}\" lies in another file and is of a type that is not read", path,
                    tensor.name());
    std::string content = readExternal(place, stored.value_or(place.length.value_or(0)),
                                       path + ": \"" + tensor.name() + "\"");
    tensor.set_raw_data(std::move(content));
    tensor.clear_external_data();
    tensor.clear_data_location();
}

void bringIn(::onnx::GraphProto& graph, const std::string& path)
{
    for (::onnx::TensorProto& tensor : *graph.mutable_initializer())
        bringIn(tensor, path);
    for (::onnx::NodeProto& node : *graph.mutable_node())
        for (::onnx::AttributeProto& attribute : *node.mutable_attribute()) {
            if (attribute.has_t())
                bringIn(*attribute.mutable_t(), path);
            if (attribute.has_g())
                bringIn(*attribute.mutable_g(), path);
            for (::onnx::TensorProto& tensor : *attribute.mutable_tensors())
                bringIn(tensor, path);
            for (::onnx::GraphProto& inner : *attribute.mutable_graphs())
                bringIn(inner, path);
        }
}

/// Names of all that nodes compute.
std::set<std::string> computedIn(const ::onnx::GraphProto& graph)
{
    std::set<std::string> names;
    for (const ::onnx::NodeProto& node : graph.node())
        names.insert(node.output().begin(), node.output().end());
    return names;
}

/// Names of all tensors.
std::set<std::string> namesIn(const ::onnx::GraphProto& graph)
{
    std::set<std::string> names = computedIn(graph);
    for (const ::onnx::ValueInfoProto& input : graph.input())
        names.insert(input.name());
    for (const ::onnx::TensorProto& constant : graph.initializer())
        names.insert(constant.name());
    return names;
}

void addDequantized(::onnx::GraphProto& graph, const QuantizedTensor& tensor)
{
    ::onnx::NodeProto& node = *graph.add_node();
    node.set_op_type("DequantizeLinear");
    for (const std::string& input : {tensor.integers, tensor.scale, tensor.zeroPoint})
        if (!input.empty())
            node.add_input(input);
    node.add_output(tensor.name);
}

}  // namespace

void bringIn(::onnx::ModelProto& model, const std::string& path)
{
    bringIn(*model.mutable_graph(), path);
}

std::string modelBytes(const ::onnx::ModelProto& model, const std::string& path)
{
    std::string bytes;
    if (model.ByteSizeLong() > std::numeric_limits<std::int32_t>::max() ||
        !model.SerializeToString(&bytes))
        throw Error(
            Fault::Input,
            "{}: is larger than the 2 GiB that one file of a model may have; it can't be checked",
            path);
    return bytes;
}

std::string sizeName(const std::string& tensor)
{
    return "calibscope size of " + tensor;
}

std::string probedModel(const ModelFile& model, std::span<const std::string> outputs,
                        std::span<const QuantizedTensor> inIntegers,
                        std::span<const std::string> sized)
{
    ::onnx::ModelProto probed = model.proto();
    ::onnx::GraphProto& graph = *probed.mutable_graph();
    bringIn(probed, model.path());
    std::set<std::string> names = namesIn(graph);
    for (const QuantizedTensor& tensor : inIntegers)
        if (std::ranges::find(outputs, tensor.name) != outputs.end() &&
            names.contains(tensor.integers) && names.insert(tensor.name).second)
            addDequantized(graph, tensor);
    std::set<std::string> probes = computedIn(graph);
    for (const ::onnx::ValueInfoProto& output : graph.output())
        probes.erase(output.name());
    for (const std::string& name : outputs)
        if (probes.erase(name) > 0)
            graph.add_output()->set_name(name);  // runtimes find out the type themselves
    for (const std::string& name : sized) {
        if (!names.insert(sizeName(name)).second)
            continue;  // of two layers
        ::onnx::NodeProto& node = *graph.add_node();
        node.set_op_type("Size");
        node.add_input(name);
        node.add_output(sizeName(name));
        graph.add_output()->set_name(sizeName(name));
    }
    return modelBytes(probed, model.path());
}

}  // namespace calibscope::model
