// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/node_attributes.h"
#include "core/model/quantize_model.h"
#include "tests/support/catch.h"
#include "tests/support/quantize_cases.h"

#include <algorithm>
#include <string>
#include <vector>

namespace quantize_blocks_test {

using namespace calibscope;
using namespace calibscope::model;
using test::quantizeCase;
using test::QuantizeCase;

struct Quantized
{
    ::onnx::ModelProto model;
    QuantizedModel result;
};

Quantized quantized(QuantizeCase given)
{
    QuantizedModel result = quantizeModel(given.model, given.scales, given.options, "m.onnx");
    return {.model = given.model, .result = std::move(result)};
}

Quantized quantized(const std::string& name)
{
    return quantized(quantizeCase(name));
}

const ::onnx::TensorProto& initializer(const Quantized& done, const std::string& name)
{
    for (const ::onnx::TensorProto& tensor : done.model.graph().initializer())
        if (tensor.name() == name)
            return tensor;
    FAIL("there is no " + name);
    return ::onnx::TensorProto::default_instance();
}

TEST_CASE("integers of 4 and 16 bits have types of their own, which opset 13 lacks")
{
    CHECK_FALSE(quantized("conv-int8").result.needsBlocks);
    const Quantized wide = quantized("activation-16-bits");
    CHECK(wide.result.needsBlocks);
    CHECK(initializer(wide, "x_zero_point").data_type() == ::onnx::TensorProto::INT16);
    CHECK(initializer(wide, "x_zero_point").raw_data() == std::string("\x44\xfd"));  // -700
    const Quantized other = quantized("activation-16-bits-unsigned");
    CHECK(initializer(other, "x_zero_point").data_type() == ::onnx::TensorProto::UINT16);
    CHECK(initializer(other, "x_zero_point").raw_data() == std::string("\x44\x7d"));  // 32068

    const Quantized narrow = quantized("weight-4-bits");
    CHECK(narrow.result.needsBlocks);
    CHECK(initializer(narrow, "w_quantized").data_type() == 22);
    CHECK(initializer(narrow, "w_quantized").raw_data().size() == 12);  // 24 values
    CHECK(initializer(narrow, "w_zero_point").raw_data() == std::string(2, '\0'));
}

TEST_CASE("scales of groups are blocks of a tensor that is shorter along their axis")
{
    for (const std::string name : {"groups-of-columns", "groups-of-rows"}) {
        const Quantized done = quantized(name);
        CHECK(done.result.needsBlocks);
        const ::onnx::NodeProto& node = done.model.graph().node(2);
        CHECK(node.op_type() == "DequantizeLinear");
        CHECK(intAttribute(node, "block_size", 0) == 3);
        const bool isOfRows = name == "groups-of-rows";
        CHECK(intAttribute(node, "axis", -1) == (isOfRows ? 1 : 0));
        const ::onnx::TensorProto scale = initializer(done, "w_scale");
        REQUIRE(scale.dims_size() == 2);
        CHECK(scale.dims(0) == (isOfRows ? 5 : 2));
        CHECK(scale.dims(1) == (isOfRows ? 2 : 5));
        CHECK(initializer(done, "w_zero_point").raw_data().size() == 5);
    }
    QuantizeCase ragged = quantizeCase("groups-of-rows");
    ragged.scales.back().quantization.group = 4;
    const Findings lints = quantized(ragged).result.lints;
    const auto count = std::ranges::find(lints, "scale-count", &Finding::id);
    REQUIRE(count != lints.end());
    CHECK(withLevel(*count) ==
          "error: `w`: not written: there are 10 scales for 6 values in groups of 4");
}

}  // namespace quantize_blocks_test
