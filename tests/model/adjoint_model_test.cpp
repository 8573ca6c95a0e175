// SPDX-License-Identifier: GPL-3.0-or-later
// What the model computes: tests/deploy/end_test.cpp, and tests/extra/adjoint_rules.py for each rule.
#include "core/model/adjoint_model.h"

#include "core/base/error.h"
#include "tests/support/catch.h"
#include "tests/support/onnx_graph.h"
#include "tests/support/temporary_folder.h"

#include <fstream>

namespace adjoint_model_test {

using namespace calibscope;
using namespace calibscope::model;
using test::containsText;

/// Two layers with an operator between them.
AdjointModel behind(const char* between)
{
    const test::TemporaryFolder folder;
    test::OnnxGraph graph;
    graph.input("x", {0, 2})
        .floats("w1", {2, 2}, {1, 2, 3, 4})
        .floats("w2", {2, 2}, {1, 2, 3, 4})
        .node("MatMul", {"x", "w1"}, {"a"})
        .node(between, {"a"}, {"b"})
        .node("MatMul", {"b", "w2"}, {"c"})
        .output("c", {0, 2});
    const std::string path = folder.file("m.onnx");
    std::ofstream(path, std::ios::binary) << graph.model().SerializeAsString();
    const auto scales = [](const char* tensor) {
        return TensorScales{.tensor = tensor,
                            .quantization = {.scales = {0.5F}, .zeroPoints = {0.0}}};
    };
    const std::vector<std::vector<TensorScales>> sets{{scales("x"), scales("b"), scales("z")}};
    return adjointModel(*ModelFile::read(path), sets, "c");
}

TEST_CASE("each operand has a row where all behind its layers have rules")
{
    const AdjointModel model = behind("Relu");
    CHECK(model.taken == std::vector<std::string>{"x"});
    REQUIRE(model.products.size() == 2);
    CHECK(model.products[0].asked == 0);
    CHECK(model.products[1].asked == 1);
    REQUIRE(model.refused.size() == 1);
    CHECK(model.refused[0].asked == 2);  // there is no such tensor
}

TEST_CASE("before an operator without a rule there is no gradient")
{
    const AdjointModel model = behind("Floor");
    REQUIRE(model.products.size() == 1);
    CHECK(model.products[0].asked == 1);
    REQUIRE(model.refused.size() == 2);
    CHECK(model.refused[0].whyNot == "no gradient through the Floor that makes `b`");
}

}  // namespace adjoint_model_test
