// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/check_integers.h"

#include "tests/support/catch.h"
#include "tests/support/quantize_cases.h"
#include "tests/support/temporary_folder.h"

#include <fstream>

namespace check_integers_test {

using namespace calibscope;
using namespace calibscope::model;

struct Pair
{
    std::shared_ptr<const ModelFile> source;
    ::onnx::ModelProto model;
    QuantizedModel result;
};

Pair quantizedPair(const test::TemporaryFolder& folder, const test::QuantizeCase& one)
{
    const std::string path = folder.file("m.onnx");
    std::ofstream(path, std::ios::binary) << one.model.SerializeAsString();
    Pair pair{.source = ModelFile::read(path), .model = one.model, .result = {}};
    pair.result = quantizeModel(pair.model, one.scales, one.options, path);
    return pair;
}

::onnx::TensorProto& initializer(::onnx::ModelProto& model, const std::string& name)
{
    for (::onnx::TensorProto& tensor : *model.mutable_graph()->mutable_initializer())
        if (tensor.name() == name)
            return tensor;
    FAIL("no initializer " + name);
    return *model.mutable_graph()->add_initializer();
}

TEST_CASE("integers of every case give their weights back")
{
    const test::TemporaryFolder folder;
    for (const test::QuantizeCase& one : test::quantizeCases()) {
        INFO(one.name);
        const Pair pair = quantizedPair(folder, one);
        CHECK_NOTHROW(checkIntegers(pair.model, pair.result.weights, *pair.source));
    }
}

TEST_CASE("one wrong integer, scale, zero point or axis is found")
{
    const test::TemporaryFolder folder;
    const Pair right = quantizedPair(folder, test::quantizeCase("conv-int8"));
    const auto isFound = [&](const auto& damage) {
        ::onnx::ModelProto model = right.model;
        damage(model);
        CHECK_THROWS_WITH(checkIntegers(model, right.result.weights, *right.source),
                          test::containsText("the integers of `w` do not give its values back"));
    };
    isFound([](::onnx::ModelProto& model) {
        std::string& bytes = *initializer(model, "w_quantized").mutable_raw_data();
        bytes[23] = static_cast<char>(bytes[23] ^ 1);
    });
    isFound([](::onnx::ModelProto& model) {
        std::string& bytes = *initializer(model, "w_scale").mutable_raw_data();
        bytes[4] = static_cast<char>(bytes[4] ^ 1);
    });
    isFound([](::onnx::ModelProto& model) {
        (*initializer(model, "w_zero_point").mutable_raw_data())[2] = 1;
    });
    isFound([](::onnx::ModelProto& model) {
        model.mutable_graph()->mutable_node(2)->mutable_attribute(0)->set_i(1);
    });
    isFound([](::onnx::ModelProto& model) {
        model.mutable_graph()->mutable_node(2)->clear_attribute();
    });
}

}  // namespace check_integers_test
