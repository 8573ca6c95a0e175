// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/operand_cut.h"
#include "tests/support/catch.h"
#include "tests/support/onnx_graph.h"
#include "tests/support/small_run.h"
#include "tests/support/temporary_folder.h"

#include <algorithm>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace operand_cut_test {

using namespace calibscope;
using model::OperandCut;
using model::TensorScales;
using test::SmallRun;
using test::SmallTensor;

/// Two layers on one tensor, one behind them, and a way around all: y = (a w2 + a w3) w4 + x.
class Branches
{
public:
    Branches()
    {
        test::OnnxGraph graph;
        graph.input("x", {0, 2});
        for (const char* weight : {"w1", "w2", "w3", "w4"})
            graph.floats(weight, {2, 2}, {0.5F, -0.3F, 0.21F, 0.9F});
        graph.node("MatMul", {"x", "w1"}, {"a"})
            .node("Relu", {"x"}, {"around"})
            .node("MatMul", {"a", "w2"}, {"b"})
            .node("MatMul", {"a", "w3"}, {"c"})
            .node("Add", {"b", "c"}, {"d"})
            .node("MatMul", {"d", "w4"}, {"e"})
            .node("Add", {"e", "around"}, {"y"})
            .node("Relu", {"a"}, {"beside"})
            .output("y", {0, 2})
            .output("beside", {0, 2});
        std::ofstream(path(), std::ios::binary) << graph.model().SerializeAsString();
    }

    [[nodiscard]] std::string path() const { return m_folder.file("m.onnx"); }

    [[nodiscard]] std::vector<OperandCut> cuts(const std::vector<std::string>& operands,
                                               const std::vector<std::string>& ends) const
    {
        std::vector<TensorScales> scales;
        for (const std::string& operand : operands)
            scales.push_back({.tensor = operand,
                              .isWeight = operand.starts_with("w"),
                              .quantization = {.scales = {0.01F}, .zeroPoints = {0.0}}});
        return model::operandCuts(*model::ModelFile::read(path()), scales, ends);
    }

private:
    test::TemporaryFolder m_folder;
};

::onnx::ModelProto parsed(const OperandCut& cut)
{
    ::onnx::ModelProto model;
    REQUIRE(model.ParseFromString(cut.bytes));
    return model;
}

TEST_CASE("operand cut: layers of one input, and their weights, from there to the end")
{
    const Branches branches;
    const std::vector<OperandCut> cuts = branches.cuts({"w3", "a", "w4", "w2", "x", "w1"}, {"y"});
    std::map<std::string, std::size_t> cutOf;
    for (std::size_t cut = 0; cut < cuts.size(); ++cut)
        for (const model::CutOperand& operand : cuts[cut].operands)
            cutOf[operand.tensor] = cut;
    REQUIRE(cutOf.size() == 6);
    CHECK(cuts.size() == 3);  // of x, a, and the weight w4, whose input was not asked for
    CHECK(cutOf["w2"] == cutOf["a"]);
    CHECK(cutOf["w3"] == cutOf["a"]);
    CHECK(cutOf["w1"] == cutOf["x"]);
    CHECK(cuts[cutOf["a"]].taken == std::vector<std::string>{"around"});
    CHECK(cuts[cutOf["x"]].taken == std::vector<std::string>{"around"});
    CHECK(cuts[cutOf["w4"]].taken == std::vector<std::string>{"around", "d"});
    CHECK(parsed(cuts[cutOf["w4"]]).graph().node_size() == 2);
    CHECK(parsed(cuts[cutOf["a"]]).graph().initializer_size() == 1);
    CHECK(cuts[cutOf["w3"]].operands[0].asked != cuts[cutOf["w3"]].operands[1].asked);
}

TEST_CASE("operand cut: gives what the whole model gives")
{
    const Branches branches;
    ::onnx::ModelProto whole = model::ModelFile::read(branches.path())->proto();
    const SmallTensor x{.shape = {2, 2}, .values = {1.0, -0.52, 0.3, 0.77}};
    const SmallRun reference(whole, {{"x", x}});
    for (const OperandCut& cut : branches.cuts({"a", "w2", "w3", "d", "w4"}, {"y"}))
        for (const model::CutOperand& alone : cut.operands) {
            CAPTURE(alone.tensor);
            std::map<std::string, SmallTensor> feeds;
            for (const std::string& name : cut.taken)
                feeds[name] = reference[name];
            ::onnx::ModelProto other = whole;
            for (const model::CutOperand& operand : cut.operands) {
                SmallTensor value = reference[operand.tensor];
                if (operand.tensor == alone.tensor && operand.values.empty()) {
                    for (double& each : value.values)
                        each *= 1.01;
                } else if (operand.tensor == alone.tensor) {
                    value.values = {operand.quantized.begin(), operand.quantized.end()};
                    for (::onnx::TensorProto& constant :
                         *other.mutable_graph()->mutable_initializer())
                        if (constant.name() == alone.tensor) {
                            constant.clear_raw_data();
                            constant.mutable_float_data()->Assign(operand.quantized.begin(),
                                                                  operand.quantized.end());
                        }
                }
                feeds[operand.input] = value;
            }
            if (alone.values.empty())
                for (::onnx::NodeProto& node : *other.mutable_graph()->mutable_node())
                    if (node.op_type() == "MatMul" && node.input(0) == alone.tensor)
                        node.set_input(0, "changed");
            SmallTensor changed = reference[alone.tensor];
            for (double& each : changed.values)
                each *= 1.01;
            const SmallRun expected(other, {{"x", x}, {"changed", changed}});
            CHECK(SmallRun(parsed(cut), feeds)["y"].values == expected["y"].values);
        }
}

TEST_CASE("operand cut: an operand that an end does not follow from is in none")
{
    const Branches branches;
    CHECK(branches.cuts({"d", "w4"}, {"beside"}).empty());
    CHECK(branches.cuts({"w1"}, {"beside", "y"}).size() == 1);
}

TEST_CASE("operand cut: the pair of an activation saturates at the ends of its type")
{
    const Branches branches;
    const TensorScales narrow{.tensor = "a",
                              .quantization = {.scales = {0.01F},
                                               .zeroPoints = {0.0},
                                               .format = NumberFormat::integers(-127, 127)}};
    const auto cuts = model::operandCuts(*model::ModelFile::read(branches.path()),
                                         std::vector{narrow}, std::vector<std::string>{"y"});
    REQUIRE(cuts.size() == 1);
    CHECK(cuts[0].operands[0].quantization.format == NumberFormat());
}

}  // namespace operand_cut_test
