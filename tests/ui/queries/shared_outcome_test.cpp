// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/queries/shared_outcome.h"

#include "tests/support/catch.h"

namespace shared_outcome_test {

using namespace calibscope;

TEST_CASE("copies of a shared outcome are the same one")
{
    const SharedOutcome one = Outcome{.tensor = "conv1"};
    const SharedOutcome copy = one;
    CHECK(&*copy == &*one);
    CHECK(copy->tensor == "conv1");
}

TEST_CASE("an outcome inside a larger whole keeps that alive")
{
    auto whole = std::make_shared<std::vector<Outcome>>(2);
    whole->back().tensor = "conv2";
    const std::weak_ptr<std::vector<Outcome>> watched = whole;
    SharedOutcome part = std::shared_ptr<const Outcome>(whole, &whole->back());
    whole.reset();
    CHECK_FALSE(watched.expired());
    CHECK(part->tensor == "conv2");
    part.reset();
    CHECK(watched.expired());
    CHECK_FALSE(part);
}

TEST_CASE("none of an optional outcome is none")
{
    CHECK_FALSE(SharedOutcome());
    CHECK_FALSE(SharedOutcome(std::optional<Outcome>()));
    CHECK(SharedOutcome(std::optional(Outcome{})));
}

}  // namespace shared_outcome_test
