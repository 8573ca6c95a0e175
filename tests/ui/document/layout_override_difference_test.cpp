#include "ui/document/layout_override_difference.h"

#include "tests/support/catch.h"

using namespace calibscope;

namespace {

const TensorInfo recorded{.name = "a",
                          .role = Role::Activation,
                          .elementType = "uint16",
                          .otherTypes = {"bfloat16"},
                          .shape = {8, 3, 5},
                          .batchAxis = 0,
                          .batchSize = 4,
                          .channelAxis = 1};

TensorInfo wanted(std::optional<int> batchAxis, std::uint64_t batchSize,
                  std::optional<int> channelAxis, Role role = Role::Activation)
{
    TensorInfo tensor = recorded;
    tensor.role = role;
    tensor.batchAxis = batchAxis;
    tensor.batchSize = batchSize;
    tensor.channelAxis = channelAxis;
    return tensor;
}

}  // namespace

TEST_CASE("where nothing differs nothing is said, and no more than differs")
{
    CHECK(differenceOf(recorded, recorded).isEmpty());
    CHECK(differenceOf(recorded, wanted(0, 4, 2)) == LayoutOverride{.channelAxis = 2});
    CHECK(differenceOf(recorded, wanted(0, 2, 1)) == LayoutOverride{.batchSize = 2});
    CHECK(differenceOf(recorded, wanted(0, 4, {})) ==
          LayoutOverride{.channelAxis = LayoutOverride::noAxis});
    TensorInfo read = recorded;
    read.elementType = "bfloat16";
    CHECK(differenceOf(recorded, read) == LayoutOverride{.elementType = "bfloat16"});
}

TEST_CASE("whatever is wanted is understood, for every role and every pair of axes")
{
    const std::vector<std::optional<int>> axes = {std::nullopt, 0, 1, 2};
    for (const Role role : {Role::Activation, Role::Weight, Role::Unknown})
        for (const std::optional<int>& batchAxis : axes)
            for (const std::optional<int>& channelAxis : axes)
                for (const std::uint64_t batchSize : {0u, 2u, 4u}) {
                    if (batchAxis && batchAxis == channelAxis)
                        continue;
                    for (TensorInfo from : {recorded, wanted({}, 0, {}), wanted(1, 0, 0)}) {
                        const TensorInfo to =
                            wanted(batchAxis, batchAxis ? batchSize : 0, channelAxis, role);
                        const TensorInfo understood = understoodAs(from, differenceOf(from, to));
                        CHECK(understood.role == to.role);
                        CHECK(understood.batchAxis == to.batchAxis);
                        CHECK(understood.channelAxis == to.channelAxis);
                        CHECK(understood.batchSize == to.batchSize);
                    }
                }
}
