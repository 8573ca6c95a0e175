// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/drawn_model.h"

#include "core/model/quantized_tensors.h"
#include "tests/support/catch.h"
#include "tests/support/onnx_model.h"
#include "tests/support/temporary_folder.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace drawn_model_test {

using namespace calibscope;
using namespace calibscope::model;
using namespace calibscope::test;

void addIntegers(::onnx::GraphProto& graph, const std::string& name,
                 const std::vector<std::int64_t>& shape, const std::vector<int>& values,
                 int dataType = ::onnx::TensorProto::INT8)
{
    ::onnx::TensorProto tensor = shapedTensor(name, dataType, shape);
    for (const int value : values)
        tensor.add_int32_data(value);
    addInitializer(graph, tensor);
}

const std::vector<float> weight{0.5F, -1.0F, 126.874F, 3.0F, 0.5005F, 200.0F};

::onnx::ModelProto recordedModel(const std::vector<float>& values = weight)
{
    ::onnx::ModelProto model = emptyModel(13);
    ::onnx::GraphProto& graph = *model.mutable_graph();
    addInput(graph, "x", {1, 2});
    addInitializer(graph, floatTensor("w", {2, 3}, values));
    addInitializer(graph, floatTensor("b", {3}, {0.5F, 0.5F, 0.5F}));
    addNode(graph, "Gemm", {"x", "w", "b"}, {"y"});
    addOutput(graph, "y", {1, 3});
    return model;
}

/// w in rows of 0.999 and 1, the second without zeros and within -63 to 63, so that its 200 is clipped; a pair at x
/// whose halves have a scale each; a bias in int32.
::onnx::ModelProto quantizedModel()
{
    ::onnx::ModelProto model = emptyModel(13);
    ::onnx::GraphProto& graph = *model.mutable_graph();
    addInput(graph, "x", {1, 2});
    addInitializer(graph, floatTensor("x_scale", {}, {0.5F}));
    addConstant(graph, floatTensor("x_scale_2", {}, {0.5F}));
    addIntegers(graph, "x_zero_point", {}, {0});
    addNode(graph, "QuantizeLinear", {"x", "x_scale", "x_zero_point"}, {"xq"});
    addNode(graph, "DequantizeLinear", {"xq", "x_scale_2", "x_zero_point"}, {"xd"});
    addInitializer(graph, floatTensor("w_scale", {2}, {0.999F, 1.0F}));
    addIntegers(graph, "w_quantized", {2, 3}, {1, -1, 127, 3, 1, 63});
    ::onnx::NodeProto& node = addNode(graph, "DequantizeLinear", {"w_quantized", "w_scale"},
                                      {"w_DequantizeLinear_Output"});
    setInt(node, "axis", 0);
    addInitializer(graph, floatTensor("b_scale", {}, {0.125F}));
    addIntegers(graph, "b_quantized", {3}, {4, 4, 4}, ::onnx::TensorProto::INT32);
    addNode(graph, "DequantizeLinear", {"b_quantized", "b_scale"}, {"b_DequantizeLinear_Output"});
    addNode(graph, "Gemm", {"xd", "w_DequantizeLinear_Output", "b_DequantizeLinear_Output"}, {"y"});
    addOutput(graph, "y", {1, 3});
    return model;
}

struct Draw
{
    DrawnModel drawn;
    ::onnx::ModelProto model;

    [[nodiscard]] std::vector<float> floats(const std::string& name) const
    {
        std::vector<float> values;
        const auto take = [&](const ::onnx::TensorProto& tensor) {
            const std::string& bytes = tensor.raw_data();
            values.assign(tensor.float_data().begin(), tensor.float_data().end());
            values.resize(values.size() + bytes.size() / sizeof(float));
            std::ranges::copy(bytes, reinterpret_cast<char*>(values.data()));
        };
        for (const ::onnx::TensorProto& tensor : model.graph().initializer())
            if (tensor.name() == name)
                take(tensor);
        for (const ::onnx::NodeProto& node : model.graph().node())
            if (node.output(0) == name)
                take(node.attribute(0).t());
        return values;
    }
};

Draw drawOf(const ::onnx::ModelProto& quantized, const ::onnx::ModelProto& recorded,
            std::uint64_t number)
{
    const TemporaryFolder folder;
    Draw draw{.drawn = drawnModel(*ModelFile::read(saved(quantized, folder.file("q.onnx"))),
                                  *ModelFile::read(saved(recorded, folder.file("m.onnx"))), number),
              .model = {}};
    REQUIRE(draw.model.ParseFromString(draw.drawn.bytes));
    return draw;
}

TEST_CASE("factors are those of SplitMix64 from the name's FNV-1a, on any machine")
{
    // Python, in integers of 64 bits:
    //   h = 14695981039346656037
    //   for c in b"conv1\n3": h = (h ^ c) * 1099511628211 % 2**64
    //   and SplitMix64 from h; 1 + (1.003 - 1) * (number >> 11) / 2**53
    const std::vector<double> factors = drawnFactors("conv1", 3, 2);
    CHECK(factors == std::vector<double>{1.000853059929381, 1.00278574433362});
    CHECK(drawnFactors("conv1", 4, 1)[0] == 1.0014421883606328);
    const std::vector<double> many = drawnFactors("w", 1, 10000);
    CHECK(*std::ranges::min_element(many) >= 1.0);
    CHECK(*std::ranges::max_element(many) < mostDrawnFactor);
    double sum = 0.0;
    for (const double factor : many)
        sum += factor;
    // Uniform: the mean's sd is 0.003 / sqrt(12 * 10000) = 9e-6.
    CHECK(std::abs(sum / 10000.0 - 1.0015) < 4 * 9e-6);
}

TEST_CASE("a draw multiplies every scale by its own factor, both halves of a pair alike")
{
    const Draw draw = drawOf(quantizedModel(), recordedModel(), 2);
    CHECK(draw.drawn.scales == 3);     // both of x, w
    CHECK(draw.drawn.unchanged == 1);  // of the bias
    CHECK(draw.floats("b_scale") == std::vector<float>{0.125F});
    const auto expected = [](const std::string& tensor, std::size_t place, float scale) {
        return static_cast<float>(static_cast<double>(scale) *
                                  drawnFactors(tensor, 2, place + 1)[place]);
    };
    CHECK(draw.floats("x_scale") == std::vector<float>{expected("x", 0, 0.5F)});
    CHECK(draw.floats("x_scale_2") == draw.floats("x_scale"));
    const std::vector<float> scales = draw.floats("w_scale");
    CHECK(scales == std::vector<float>{expected("w", 0, 0.999F), expected("w", 1, 1.0F)});
    CHECK(scales[0] / 0.999F != scales[1]);
}

TEST_CASE("integers of a weight are the recorded values in steps of the drawn scales")
{
    bool hasOther = false;
    for (std::uint64_t number = 1; number <= 8; ++number) {
        const Draw draw = drawOf(quantizedModel(), recordedModel(), number);
        const TemporaryFolder folder;
        const auto model = ModelFile::read(saved(draw.model, folder.file("d.onnx")));
        const QuantizedTensors found = quantizedTensors(*model);
        const auto tensor = std::ranges::find(found.tensors, "w", &QuantizedTensor::name);
        REQUIRE(tensor != found.tensors.end());
        const std::vector<float>& scales = tensor->quantization.scales;
        const std::vector<float> values = dequantizedValues(*model, *tensor);
        for (std::size_t place = 0; place < 6; ++place) {
            const float scale = scales[place / 3];
            // What lies beyond 63 in the second row stays there, though the type reaches 127.
            const float most = place < 3 ? 127.0F : 63.0F;
            const float steps = std::min(std::nearbyint(weight[place] / scale), most);
            CHECK(values[place] == steps * scale);
        }
        hasOther = hasOther || values[0] == 0.0F;
    }
    // 0.5 / 0.999 is rounded to 1, and to 0 from a factor of 1.001 on, as is 0.5005, which is the
    // least of its row: two of three draws.
    CHECK(hasOther);
}

TEST_CASE("weights that are not the recorded ones rounded stay as they are, with their scales")
{
    std::vector<float> other = weight;
    other[3] = 3.75F;  // nearer to 4
    const Draw draw = drawOf(quantizedModel(), recordedModel(other), 1);
    CHECK(draw.drawn.scales == 2);
    CHECK(draw.drawn.unchanged == 2);
    CHECK(draw.floats("w_scale") == std::vector<float>{0.999F, 1.0F});
    ::onnx::ModelProto renamed = recordedModel();
    renamed.mutable_graph()->mutable_initializer(0)->set_name("v");
    CHECK(drawOf(quantizedModel(), renamed, 1).drawn.unchanged == 2);
}

TEST_CASE("weights of inner graphs are drawn, under the recorded values of the same graph")
{
    const auto modelWith = [](const auto& fill) {
        ::onnx::ModelProto model = emptyModel(13);
        ::onnx::GraphProto& graph = *model.mutable_graph();
        addInput(graph, "c", {}, ::onnx::TensorProto::BOOL);
        addInitializer(graph, floatTensor("w", {2}, {9.0F, 9.0F}));  // another one of that name
        ::onnx::NodeProto& choice = addNode(graph, "If", {"c"}, {"y"});
        fill(addGraph(choice, "then_branch"));
        addOutput(graph, "y", {2});
        return model;
    };
    const Draw draw = drawOf(modelWith([](::onnx::GraphProto& inner) {
                                 addInitializer(inner, floatTensor("w_scale", {}, {0.5F}));
                                 addIntegers(inner, "w_quantized", {2}, {2, -3});
                                 addNode(inner, "DequantizeLinear", {"w_quantized", "w_scale"},
                                         {"w_DequantizeLinear_Output"});
                                 addNode(inner, "Relu", {"w_DequantizeLinear_Output"}, {"z"});
                             }),
                             modelWith([](::onnx::GraphProto& inner) {
                                 addInitializer(inner, floatTensor("w", {2}, {1.0F, -1.5F}));
                                 addNode(inner, "Relu", {"w"}, {"z"});
                             }),
                             1);
    CHECK(draw.drawn.scales == 1);
    CHECK(draw.drawn.unchanged == 0);
    const ::onnx::GraphProto& inner = draw.model.graph().node(0).attribute(0).g();
    float scale = 0.0F;
    REQUIRE(inner.initializer(0).raw_data().size() == sizeof(scale));
    std::ranges::copy(inner.initializer(0).raw_data(), reinterpret_cast<char*>(&scale));
    CHECK(scale == static_cast<float>(0.5 * drawnFactors("w", 1, 1)[0]));
    CHECK(inner.initializer(1).raw_data() == std::string("\x02\xFD"));
}

TEST_CASE("a scale that something else takes, too, stays as it is")
{
    ::onnx::ModelProto model = quantizedModel();
    addNode(*model.mutable_graph(), "Mul", {"y", "x_scale"}, {"z"});
    const Draw draw = drawOf(model, recordedModel(), 1);
    CHECK(draw.drawn.scales == 1);  // the pair's other half does not go without it
    CHECK(draw.floats("x_scale_2") == std::vector<float>{0.5F});
}

}  // namespace drawn_model_test
