#include "ui/dump_requests.h"

#include "core/recipes/make_choice.h"
#include "tests/support/catch.h"

using namespace calibscope;

namespace {

const TensorInfo weight{.name = "w", .role = Role::Weight};
const TensorInfo activation{.name = "a", .role = Role::Activation};
const TensorInfo unreadable{.name = "x", .role = Role::Activation, .unreadable = "no plugin"};

int firstOf(const std::vector<TensorInfo>& tensors)
{
    return firstToShow(tensors);
}

}  // namespace

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
    const serve::ViewRequest request = viewRequest("a.h5", 3, candidates);
    CHECK(request.path == "a.h5");
    CHECK(request.tensor == 3);
    REQUIRE(request.histograms.size() == 2);
    CHECK(request.histograms[0].domain == Domain::Magnitude);
    CHECK(request.histograms[1].domain == Domain::Signed);
    REQUIRE(request.choices.size() == candidates.size());
    for (std::size_t place = 0; place < candidates.size(); ++place)
        CHECK(request.choices[place].isSameComputation(candidates[place].choice));
}

TEST_CASE("glances leave unreadable tensors out, and ask for no SQNR where the recipe has no rule")
{
    Recipe onlyWeights;
    onlyWeights.rules = {
        {.role = Role::Weight,
         .choice = makeChoice("min-max", {}, SchemeKind::SymmetricFull, Granularity::Tensor)}};
    const std::vector<TensorInfo> tensors = {activation, unreadable, weight};
    const auto requests = glanceRequests("a.h5", tensors, onlyWeights, Consumers(tensors));
    REQUIRE(requests.size() == 2);
    CHECK(requests[0].tensor == 0);
    CHECK_FALSE(requests[0].choice);
    CHECK(requests[1].tensor == 2);
    CHECK(requests[1].choice);
}
