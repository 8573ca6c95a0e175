// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/tensor_values.h"

#include "core/base/error.h"
#include "tests/support/catch.h"

#include <onnx/onnx_pb.h>

namespace tensor_values_test {

using namespace calibscope;
using namespace calibscope::model;

std::string bytesOf(const std::vector<int>& integers, std::int32_t dataType)
{
    return integerBytes(std::span(integers), dataType);
}

::onnx::TensorProto tensor(std::int32_t dataType, std::int64_t count)
{
    ::onnx::TensorProto made;
    made.set_name("w");
    made.set_data_type(dataType);
    made.add_dims(count);
    return made;
}

TEST_CASE("integers of 4 bits lie two in a byte, the first in the lower half")
{
    CHECK(bytesOf({-8, 7, -1}, int4DataType) == std::string("\x78\x0f"));
    CHECK(bytesOf({15, 0, 1, 9}, uint4DataType) == std::string("\x0f\x91"));
    CHECK(bytesOf({}, int4DataType).empty());
    CHECK(bytesOf({-1, 2}, ::onnx::TensorProto::INT8) == std::string("\xff\x02"));
    CHECK(bytesOf({-2, 513}, ::onnx::TensorProto::INT16) == std::string("\xfe\xff\x01\x02"));
    CHECK(bytesOf({65535}, ::onnx::TensorProto::UINT16) == std::string("\xff\xff"));
}

TEST_CASE("packed integers are read as bytes, whichever field holds them")
{
    ::onnx::TensorProto packed = tensor(int4DataType, 3);
    packed.set_raw_data("\x78\x0f");
    CHECK(floatValues(storedTensor(packed, "m")) == std::vector<float>{-8, 7, -1});
    CHECK(storedTensor(packed, "m").kind == ElementKind::Int8);
    CHECK(storedBytes(packed, "m") == 2);
    CHECK(insideBytes(packed) == packed.raw_data());
    packed.set_data_type(uint4DataType);
    CHECK(integerValues(storedTensor(packed, "m")) == std::vector<std::int64_t>{8, 7, 15});

    ::onnx::TensorProto field = tensor(int4DataType, 4);
    field.add_int32_data(0x78);
    field.add_int32_data(0x0f);
    CHECK(floatValues(storedTensor(field, "m")) == std::vector<float>{-8, 7, -1, 0});
    CHECK(insideBytes(field) == std::string("\x78\x0f"));
    field.add_int32_data(0);
    CHECK_THROWS_WITH(storedTensor(field, "m"), "m:w: it has 3 bytes, its shape needs 2");
}

}  // namespace tensor_values_test
