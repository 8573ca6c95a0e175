// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/dump_tensors.h"

#include "tests/support/catch.h"
#include "tests/support/guessed_tensor.h"

namespace dump_tensors_test {

using namespace calibscope;

/// Two alike, one of another rank.
DumpTensors someTensors()
{
    DumpTensors tensors;
    tensors.setRecorded({test::guessedTensor("a", {8, 3, 4, 4}),
                         test::guessedTensor("b", {8, 5, 2, 2}),
                         test::guessedTensor("fc", {8, 10})});
    return tensors;
}

TEST_CASE("what nothing was said of is as the file says")
{
    const DumpTensors tensors = someTensors();
    CHECK(tensors.at(0).channelAxis == 1);
    CHECK(tensors.layoutOverride(0).isEmpty());
    CHECK_FALSE(tensors.isEdited(0));
    CHECK(tensors.edited().empty());
}

TEST_CASE("what is said holds, is not a guess any more, and can be taken back")
{
    DumpTensors tensors = someTensors();
    CHECK(tensors.understand({0}, {.channelAxis = 3}) == std::vector<int>{0});
    CHECK(tensors.at(0).channelAxis == 3);
    CHECK_FALSE(tensors.at(0).isGuess);
    CHECK(tensors.recorded(0).channelAxis == 1);
    CHECK(tensors.edited() == std::vector<int>{0});
    CHECK(tensors.understand({0}, {.channelAxis = 3}).empty());  // it was so before
    CHECK(tensors.understand({0, 1}, {}) == std::vector<int>{0});
    CHECK(tensors.at(0).channelAxis == 1);
    CHECK(tensors.at(0).isGuess);
    CHECK(tensors.edited().empty());
}

TEST_CASE("a second understanding replaces the first, it does not add to it")
{
    DumpTensors tensors = someTensors();
    tensors.understand({0}, {.channelAxis = 3});
    tensors.understand({0}, {.elementType = ElementKind::Bfloat16});
    CHECK(tensors.at(0).channelAxis == 1);
    CHECK(tensors.at(0).elementType == ElementKind::Bfloat16);
    CHECK(tensors.at(0).storedType == "uint16");
}

TEST_CASE("tensors alike are found by what the file says, also when one was edited")
{
    DumpTensors tensors = someTensors();
    CHECK(tensors.like(0) == std::vector<int>{0, 1});
    CHECK(tensors.like(2) == std::vector<int>{2});
    tensors.understand({0}, {.role = Role::Weight});
    CHECK(tensors.like(0) == std::vector<int>{0, 1});
    CHECK(tensors.like(1) == std::vector<int>{0, 1});
}

TEST_CASE("a tensor without that axis stays as it was")
{
    DumpTensors tensors = someTensors();
    CHECK(tensors.understand({0, 2}, {.channelAxis = 3}) == std::vector<int>{0});
    CHECK(tensors.at(2).isGuess);
    CHECK(tensors.at(2).channelAxis == 1);
}

TEST_CASE("a guess that is confirmed is the same, but no guess")
{
    DumpTensors tensors = someTensors();
    CHECK(tensors.confirm({0, 2}) == std::vector<int>{0, 2});
    CHECK_FALSE(tensors.at(0).isGuess);
    CHECK(tensors.isConfirmed(0));
    CHECK(tensors.layoutOverride(0).isEmpty());
    CHECK(tensors.edited().empty());
    CHECK(tensors.confirm({0}).empty());
    CHECK(tensors.understand({0}, {}) == std::vector<int>{0});
    CHECK(tensors.at(0).isGuess);
}

TEST_CASE("what was said of a path holds when the file is read anew, in whatever order")
{
    DumpTensors tensors = someTensors();
    tensors.understand({0}, {.channelAxis = 3});
    tensors.understand({1}, {.channelAxis = 2});
    tensors.confirm({2});
    tensors.setRecorded({test::guessedTensor("fc", {8, 10}), test::guessedTensor("new", {1}),
                         test::guessedTensor("a", {8, 3, 4, 4}),
                         test::guessedTensor("b", {8, 5})});  // b lost the axis
    CHECK(tensors.isConfirmed(0));
    CHECK_FALSE(tensors.isEdited(1));
    CHECK(tensors.at(2).channelAxis == 3);
    CHECK(tensors.recorded(2).channelAxis == 1);
    CHECK_FALSE(tensors.isEdited(3));
    CHECK(tensors.at(3).isGuess);
    tensors.clear();
    tensors.setRecorded({test::guessedTensor("a", {8, 3, 4, 4})});
    CHECK_FALSE(tensors.isEdited(0));
}

}  // namespace dump_tensors_test
