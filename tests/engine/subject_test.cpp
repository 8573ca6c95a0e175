// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/subject.h"

#include "tests/support/catch.h"

namespace subject_test {

using namespace calibscope;
using namespace calibscope::engine;

ProfileKey keyOf(std::uint64_t tensor)
{
    return {.tensor = {.file = "a.h5", .index = tensor}, .bytes = 10, .modified = "then"};
}

TensorProfile profileOf(std::uint64_t values, std::size_t bins)
{
    TensorProfile profile;
    profile.moments.extents.finite = values;
    profile.histograms.resize(1);
    profile.histograms[0].counts.resize(bins);
    return profile;
}

TEST_CASE("a profile is found under its key until it is taken")
{
    ProfileCache cache(1 << 20);
    cache.put(keyOf(1), profileOf(7, 10));
    CHECK_FALSE(cache.take(keyOf(2)));
    ProfileKey changed = keyOf(1);
    changed.modified = "now";
    CHECK_FALSE(cache.take(changed));
    const auto found = cache.take(keyOf(1));
    REQUIRE(found);
    CHECK(found->extents().finite == 7);
    CHECK_FALSE(cache.take(keyOf(1)));
    CHECK(cache.usedBytes() == 0);
}

TEST_CASE("those not used for longest go first when the budget is full")
{
    const std::uint64_t bytes = memoryOf(profileOf(0, 1000));
    CHECK(bytes >= 8000);
    ProfileCache cache(3 * bytes);
    for (std::uint64_t tensor = 0; tensor < 3; ++tensor)
        cache.put(keyOf(tensor), profileOf(tensor, 1000));
    cache.put(keyOf(0), *cache.take(keyOf(0)));  // used again
    cache.put(keyOf(3), profileOf(3, 1000));
    CHECK(cache.size() == 3);
    CHECK(cache.usedBytes() == 3 * bytes);
    CHECK_FALSE(cache.take(keyOf(1)));
    CHECK(cache.take(keyOf(0)));
}

TEST_CASE("a profile over the whole budget is not kept, and the budget is not lost")
{
    ProfileCache cache(10000);
    cache.put(keyOf(0), profileOf(0, 100));
    cache.put(keyOf(1), profileOf(1, 100000));
    CHECK(cache.size() == 0);
    CHECK(cache.usedBytes() == 0);
    cache.put(keyOf(2), profileOf(2, 100));
    CHECK(cache.take(keyOf(2)));
}

TEST_CASE("putting a key twice keeps the latest")
{
    ProfileCache cache(1 << 20);
    cache.put(keyOf(0), profileOf(1, 10));
    cache.put(keyOf(0), profileOf(2, 10));
    CHECK(cache.size() == 1);
    CHECK(cache.take(keyOf(0))->extents().finite == 2);
    CHECK(cache.usedBytes() == 0);
}

}  // namespace subject_test
