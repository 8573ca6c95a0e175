// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/queries/dump_requests.h"

#include "tests/support/catch.h"

namespace dump_requests_test {

using namespace calibscope;

const TensorInfo weight{.name = "w", .role = Role::Weight};
const TensorInfo activation{.name = "a", .role = Role::Activation};
const TensorInfo unreadable{.name = "x", .role = Role::Activation, .unreadable = "no plugin"};

int firstOf(const std::vector<TensorInfo>& tensors)
{
    return firstToShow(tensors);
}

TEST_CASE("a readable activation is shown first, then any readable tensor, then any, then none")
{
    CHECK(firstOf({weight, unreadable, activation}) == 2);
    CHECK(firstOf({unreadable, weight}) == 1);
    CHECK(firstOf({unreadable}) == 0);
    CHECK(firstOf({}) == -1);
}

TEST_CASE("a view asks for both histograms and for all candidates in their order")
{
    const std::vector<Candidate> candidates = candidatesFor(activation, Consumers({}), {});
    const protocol::ViewRequest request = viewRequest(
        {.file = "a.h5", .allowExternal = true, .index = 3, .layoutOverride = {.channelAxis = 1}},
        candidates);
    CHECK(request.tensor.file == "a.h5");
    CHECK(request.tensor.allowExternal);
    CHECK(request.tensor.index == 3);
    CHECK(request.tensor.layoutOverride.channelAxis == 1);
    REQUIRE(request.histograms.size() == 2);
    CHECK(request.histograms[0].domain == Domain::Magnitude);
    CHECK(request.histograms[1].domain == Domain::Signed);
    REQUIRE(request.choices.size() == candidates.size());
    for (std::size_t place = 0; place < candidates.size(); ++place)
        CHECK(request.choices[place].isSameComputation(candidates[place].choice));
}

TEST_CASE("a glance asks for the SQNR of a choice, or for none, of the tensor as it is understood")
{
    const TensorRef address{.file = "a.h5", .index = 2, .layoutOverride = {.batchSize = 4}};
    const protocol::PreviewRequest without = previewRequest(address, {});
    CHECK(without.tensor.file == "a.h5");
    CHECK_FALSE(without.tensor.allowExternal);
    CHECK(without.tensor.index == 2);
    CHECK(without.tensor.layoutOverride.batchSize == 4);
    CHECK_FALSE(without.choice);
    CHECK(previewRequest(address, Choice{}).choice);
}

TEST_CASE("a tensor is found by its name, else by its path")
{
    const std::vector<TensorInfo> tensors = {{.name = "b", .path = "/a"}, {.name = "a"}};
    CHECK(placeOf(tensors, "a") == 1);
    CHECK(placeOf(tensors, "/a") == 0);
    CHECK(placeOf(tensors, "c") == -1);
    CHECK(placeOf(std::vector<TensorInfo>{{.name = "a", .path = "/x/a"}}, "x/a") == 0);
}

}  // namespace dump_requests_test
