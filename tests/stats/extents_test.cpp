// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/stats/extents.h"

#include "tests/support/catch.h"
#include "tests/support/kernel_samples.h"

#include <cmath>
#include <limits>
#include <vector>

namespace extents_test {

using namespace calibscope;

constexpr float inf = std::numeric_limits<float>::infinity();

Extents extentsOf(const std::vector<float>& values)
{
    Extents extents;
    extents.add(values);
    return extents;
}

TEST_CASE("extents of nothing and of nothing finite have counts only")
{
    CHECK(extentsOf({}) == Extents{});
    const Extents none = extentsOf({std::nanf(""), inf, -inf, inf});
    CHECK(none.finite == 0);
    CHECK(none.nan == 1);
    CHECK(none.positiveInf == 2);
    CHECK(none.negativeInf == 1);
    CHECK(none.infinite() == 3);
    CHECK(none.values() == 4);
    CHECK(none.absMax() == 0.0);
}

TEST_CASE("both ends, zeros of either sign and the largest magnitude")
{
    const Extents extents = extentsOf({-0.0F, 0.0F, -3.5F, 2.0F, 1e-45F});
    CHECK(extents.min == -3.5);
    CHECK(extents.max == 2.0);
    CHECK(extents.zeros == 2);
    CHECK(extents.absMax() == 3.5);
    CHECK(extentsOf({-1.0F, 2.0F}).absMax() == 2.0);
    CHECK(extentsOf({4.0F}).min == 4.0);
    CHECK(extentsOf({-4.0F}).max == -4.0);
}

TEST_CASE("the least magnitude, and how many values lie at both ends")
{
    const Extents extents = extentsOf({-3.5F, 2.0F, -1.0F, 2.0F, 2.0F, inf});
    CHECK(extents.absMin == 1.0);
    CHECK(extents.atMin == 1);
    CHECK(extents.atMax == 3);
    CHECK(extentsOf({0.0F, -4.0F}).absMin == 0.0);
    const Extents constant = extentsOf({-4.0F, -4.0F});
    CHECK(constant.atMin == 2);
    CHECK(constant.atMax == 2);
    CHECK_FALSE(std::signbit(extentsOf({-0.0F}).absMin));
}

TEST_CASE("no sign of zero comes out of zeros")
{
    const Extents zeros = extentsOf({-0.0F, -0.0F});
    CHECK_FALSE(std::signbit(zeros.min));
    CHECK_FALSE(std::signbit(zeros.max));
    CHECK_FALSE(std::signbit(zeros.absMax()));
    CHECK_FALSE(std::signbit(Extents{}.absMax()));
}

TEST_CASE("extents of parts merge into those of the whole, whichever part has no finite value")
{
    const std::vector<float> values{std::nanf(""), inf, 7.0F, 3.0F, -1.0F, 0.0F, -inf, -1.0F, 7.0F};
    const Extents whole = extentsOf(values);
    for (std::size_t cut = 0; cut <= values.size(); ++cut) {
        const auto middle = values.begin() + static_cast<std::ptrdiff_t>(cut);
        Extents merged = extentsOf({values.begin(), middle});
        merged += extentsOf({middle, values.end()});
        CHECK(merged == whole);
    }
}

TEST_CASE("extents of many values are those of values one by one, ends that many pieces reach too")
{
    for (const auto& [kind, sample] : test::kernelSamples()) {
        INFO(kind);
        std::vector<float> values;
        for (const float factor : {0.5F, 1.0F, 1.0F, -1.0F, 0.25F, -1.0F})
            for (const float value : sample)
                values.push_back(factor * value);
        Extents expected;
        for (const float value : values)
            expected.add(value);
        for (const std::size_t size : {7U, 4097U, 30018U}) {
            Extents extents;
            for (std::size_t first = 0; first < values.size(); first += size)
                extents.add(std::span(values).subspan(
                    first, std::min<std::size_t>(size, values.size() - first)));
            CHECK(extents == expected);
        }
    }
}

TEST_CASE("the largest magnitude but one is that of another value, of whichever sign")
{
    CHECK(extentsOf({}).absSecond == 0.0);
    CHECK(extentsOf({-3.0F}).absSecond == 0.0);
    CHECK(extentsOf({-3.0F, 2.0F, inf}).absSecond == 2.0);
    CHECK(extentsOf({2.0F, -3.0F, 3.0F}).absSecond == 3.0);
    CHECK(extentsOf({1.0F, 0.0F, std::nanf(""), -8.0F}).absSecond == 1.0);
    std::vector<float> many(20000, 0.5F);
    many[17] = -40.0F;
    many[9000] = 30.0F;
    CHECK(extentsOf(many).absSecond == 30.0);
}

TEST_CASE("a maximum stands alone where no other value has more than half its magnitude")
{
    CHECK(extentsOf({-4.0F, 2.0F, 1.0F}).hasLoneMaximum());
    CHECK(extentsOf({4.0F, 0.0F}).hasLoneMaximum());
    CHECK_FALSE(extentsOf({-4.0F, 2.125F}).hasLoneMaximum());
    CHECK_FALSE(extentsOf({4.0F, -4.0F, 0.0F}).hasLoneMaximum());
    CHECK_FALSE(extentsOf({4.0F}).hasLoneMaximum());
    CHECK_FALSE(extentsOf({0.0F, 0.0F}).hasLoneMaximum());
    CHECK_FALSE(Extents{}.hasLoneMaximum());
}

TEST_CASE("what reading has lost is counted by kind, merged, and told in a sentence each")
{
    Extents first = extentsOf({inf, 0.0F, 16777216.0F});
    first.add(ReadingLoss::Overflow);
    first.add(ReadingLoss::Underflow);
    CHECK(lossNotes(first) ==
          std::vector<std::string>{"1 finite value beyond float32 is read as infinite",
                                   "1 value other than 0 is read as 0: too small for float32"});
    Extents second;
    second.add(ReadingLoss::Rounding);
    second.add(ReadingLoss::Overflow);
    first += second;
    CHECK(first.overflowed == 2);
    CHECK(first.underflowed == 1);
    CHECK(first.roundedIntegers == 1);
    CHECK(lossNotes(first).size() == 3);
    CHECK(lossNotes(extentsOf({inf, 0.0F})).empty());
}

}  // namespace extents_test
