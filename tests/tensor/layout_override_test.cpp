// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tensor/layout_override.h"

#include "core/base/error.h"
#include "tests/support/catch.h"

namespace tensor_layout_override_test {

using namespace calibscope;
using calibscope::test::containsText;

TensorInfo activation()
{
    return {.name = "conv1",
            .role = Role::Activation,
            .elementType = ElementKind::Uint16,
            .otherTypes = {ElementKind::Bfloat16, ElementKind::Float16},
            .shape = {8, 4, 5},
            .batchAxis = 0,
            .batchSize = 2,
            .channelAxis = 1,
            .layoutRule = "shapes",
            .isGuess = true};
}

TEST_CASE("an empty understanding leaves a tensor as it was, a guess included")
{
    const TensorInfo tensor = understoodAs(activation(), {});
    CHECK(tensor.isGuess);
    CHECK(tensor.batchSize == 2);
}

TEST_CASE("what the user says takes the place of what the file says, and is not a guess")
{
    const TensorInfo tensor =
        understoodAs(activation(), {.batchAxis = 2, .batchSize = 0, .channelAxis = 0});
    CHECK_FALSE(tensor.isGuess);
    CHECK(tensor.batchAxis == 2);
    CHECK(tensor.batchSize == 0);
    CHECK(tensor.channelAxis == 0);
    CHECK(tensor.sampleCount() == 5);
    CHECK(tensor.valuesPerSample() == 32);
}

TEST_CASE("a tensor that becomes a weight has no batches, unless an axis is given for them")
{
    CHECK_FALSE(understoodAs(activation(), {.role = Role::Weight}).batchAxis);
    CHECK(understoodAs(activation(), {.role = Role::Weight}).batchSize == 0);
    CHECK(understoodAs(activation(), {.role = Role::Weight, .batchAxis = 2}).batchAxis == 2);
    CHECK(understoodAs(activation(), {.role = Role::Unknown}).batchAxis == 0);
}

TEST_CASE("one axis is never both: the axis that is asked for drives the other one out")
{
    const TensorInfo channel = understoodAs(activation(), {.channelAxis = 0});
    CHECK(channel.channelAxis == 0);
    CHECK_FALSE(channel.batchAxis);
    const TensorInfo batch = understoodAs(activation(), {.batchAxis = 1});
    CHECK(batch.batchAxis == 1);
    CHECK_FALSE(batch.channelAxis);
    CHECK_THROWS_WITH(understoodAs(activation(), {.batchAxis = 1, .channelAxis = 1}),
                      containsText("conv1: axis 1 cannot be both"));
}

TEST_CASE("no axis is a choice, and a batch size brings batch axis 0")
{
    const TensorInfo none = understoodAs(
        activation(), {.batchAxis = LayoutOverride::noAxis, .channelAxis = LayoutOverride::noAxis});
    CHECK_FALSE(none.batchAxis);
    CHECK_FALSE(none.channelAxis);
    CHECK(none.batchCount() == 1);
    CHECK(understoodAs(none, {.batchSize = 3}).batchAxis == 0);
    CHECK(understoodAs(none, {.batchSize = 3}).batchCount() == 3);
}

TEST_CASE("an axis beyond the rank is refused with the shape")
{
    for (const int axis : {-2, 3}) {
        CHECK_THROWS_WITH(understoodAs(activation(), {.channelAxis = axis}),
                          containsText("its shape is 8 x 4 x 5"));
        CHECK_THROWS_AS(understoodAs(activation(), {.batchAxis = axis}), Error);
    }
}

TEST_CASE("bytes are read as another type that fits, and as the first one again")
{
    TensorInfo stored = activation();
    stored.unreadable = "its bytes may mean anything";
    const TensorInfo read = understoodAs(stored, {.elementType = ElementKind::Float16});
    CHECK(read.elementType == ElementKind::Float16);
    CHECK(read.storedType == "uint16");
    CHECK(read.isReadable());
    CHECK(read.otherTypes == std::vector<ElementKind>{ElementKind::Bfloat16, ElementKind::Uint16});
    CHECK(understoodAs(read, {.elementType = ElementKind::Uint16}).elementType ==
          ElementKind::Uint16);
    CHECK_THROWS_WITH(understoodAs(stored, {.elementType = ElementKind::Float32}),
                      containsText("only as uint16, bfloat16, float16"));
}

TEST_CASE("tensors are alike by rule, role, rank, op and stored type, not by shape or name")
{
    TensorInfo other = activation();
    other.name = "conv2";
    other.shape = {8, 9, 9};
    CHECK(isLike(activation(), other));
    CHECK(isLike(activation(), understoodAs(other, {.elementType = ElementKind::Bfloat16})));
    other.shape = {8, 9};
    CHECK_FALSE(isLike(activation(), other));
    other = activation();
    other.role = Role::Weight;
    CHECK_FALSE(isLike(activation(), other));
    other = activation();
    other.layoutRule = "generic";
    CHECK_FALSE(isLike(activation(), other));
    other = activation();
    other.elementType = ElementKind::Float32;
    CHECK_FALSE(isLike(activation(), other));
}

}  // namespace tensor_layout_override_test
