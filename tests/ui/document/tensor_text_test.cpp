// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/tensor_text.h"

#include "tests/support/catch.h"

namespace tensor_text_test {

using namespace calibscope;

TensorInfo tensorOf(std::vector<std::uint64_t> shape, std::optional<int> batchAxis,
                    std::uint64_t batchSize, std::optional<int> channelAxis)
{
    return {.name = "a",
            .role = Role::Activation,
            .elementType = ElementKind::Float32,
            .shape = std::move(shape),
            .batchAxis = batchAxis,
            .batchSize = batchSize,
            .channelAxis = channelAxis};
}

TEST_CASE("a division says how many channels and batches there are, and how large")
{
    CHECK(divisionLabel(tensorOf({64, 64, 7, 7}, 0, 4, 1)) ==
          "64 channels of 3\u202f136 values each, 16 batches of 4 samples");
    CHECK(divisionLabel(tensorOf({10, 3}, 0, 4, {})) ==
          "no channels, 3 batches of 4 samples, the last of 2");
    CHECK(divisionLabel(tensorOf({10, 1}, 0, 0, 1)) ==
          "1 channel of 10 values, one batch of 10 samples");
    CHECK(divisionLabel(tensorOf({4, 2}, 0, 1, {})) == "no channels, 4 batches of 1 sample");
    CHECK(divisionLabel(tensorOf({1, 2}, 0, 0, {})) == "no channels, one batch of 1 sample");
    CHECK(divisionLabel(tensorOf({}, {}, 0, {})) == "no channels, one batch");
    CHECK(divisionLabel(tensorOf({0, 3}, 0, 4, 0)) == "0 channels, one batch of 0 samples");
}

TEST_CASE("a type names what is stored, and marks what float32 can't hold")
{
    TensorInfo tensor = tensorOf({4}, {}, 0, {});
    CHECK(typeLabel(tensor) == "float32");
    tensor.storedType = "float32";
    CHECK(typeLabel(tensor) == "float32");
    tensor.storedType = "uint16";
    tensor.elementType = ElementKind::Bfloat16;
    CHECK(typeLabel(tensor) == "uint16 as bfloat16");
    CHECK(typeLabel({.elementType = ElementKind::Float64, .lossy = "rounded"}) == "float64 ≈");
}

TEST_CASE("axes are told with role and place")
{
    CHECK(axesLabel(tensorOf({8, 3}, 0, 0, 1)) ==
          "activation, axis 0 as samples, axis 1 as channels");
    CHECK(axesLabel({.name = "x"}) == "tensor of unknown role, no axis as channels");
    const TensorInfo tensor = tensorOf({8, 1000}, 0, 0, 1);
    CHECK(axisLabel(tensor, 1) == "axis 1 (1\u202f000)");
    CHECK(axisLabel(tensor, {}) == "none");
}

}  // namespace tensor_text_test
