// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/graph_cut.h"

#include "core/base/error.h"

#include <onnx/onnx_pb.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace calibscope::model {

void addTaken(const ::onnx::NodeProto& node, std::set<std::string>& names)
{
    const auto addGraph = [&names](const ::onnx::GraphProto& inner) {
        for (const ::onnx::NodeProto& each : inner.node())
            addTaken(each, names);
        for (const ::onnx::ValueInfoProto& output : inner.output())
            names.insert(output.name());
    };
    names.insert(node.input().begin(), node.input().end());
    for (const ::onnx::AttributeProto& attribute : node.attribute()) {
        if (attribute.has_g())
            addGraph(attribute.g());
        for (const ::onnx::GraphProto& inner : attribute.graphs())
            addGraph(inner);
    }
}

std::set<std::string> cutGraph(::onnx::GraphProto& graph, std::span<const std::string> outputs,
                               const std::set<std::string>& given, const std::string& path)
{
    std::set<std::string> needed(outputs.begin(), outputs.end());
    std::set<std::string> made;
    graph.clear_output();
    for (const std::string& name : outputs)
        graph.add_output()->set_name(name);
    // Nodes stand behind those that make their inputs.
    std::vector<::onnx::NodeProto> wanted;
    for (int index = graph.node_size() - 1; index >= 0; --index) {
        ::onnx::NodeProto& node = *graph.mutable_node(index);
        if (std::ranges::none_of(node.output(), [&](const std::string& name) {
                return needed.contains(name) && !given.contains(name);
            }))
            continue;
        addTaken(node, needed);
        made.insert(node.output().begin(), node.output().end());
        wanted.push_back(std::move(node));
    }
    for (const std::string& name : outputs)
        if (!made.contains(name))
            throw Error(Fault::Input, "{}: has no tensor \"{}\"", path, name);
    graph.clear_node();
    for (auto node = wanted.rbegin(); node != wanted.rend(); ++node)
        *graph.add_node() = std::move(*node);
    std::erase_if(needed, [&](const std::string& name) { return made.contains(name); });
    return needed;
}

std::vector<std::string> keepTaken(::onnx::GraphProto& graph, std::set<std::string>& taken)
{
    std::set<std::string> constants;
    for (int index = graph.initializer_size() - 1; index >= 0; --index) {
        const std::string name = graph.initializer(index).name();
        if (taken.erase(name) > 0)
            constants.insert(name);
        else if (!constants.contains(name))
            graph.mutable_initializer()->DeleteSubrange(index, 1);
    }
    const auto known = graph.input();
    graph.clear_input();
    graph.clear_value_info();
    std::vector<std::string> inputs;
    for (const ::onnx::ValueInfoProto& input : known)
        if (taken.erase(input.name()) > 0) {
            *graph.add_input() = input;
            inputs.push_back(input.name());
        }
    return inputs;
}

}  // namespace calibscope::model
