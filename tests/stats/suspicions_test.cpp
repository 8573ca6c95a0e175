// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/stats/suspicions.h"

#include "tests/support/catch.h"

#include <cmath>
#include <string>
#include <vector>

namespace suspicions_test {

using namespace calibscope;

TensorProfile profileOf(const std::vector<float>& values)
{
    SketchCounter counter;
    counter.add(values);
    TensorProfile profile;
    profile.sketch = counter.sketch();
    profile.moments.add(values);
    return profile;
}

/// 10000 values from 0.5 to 1.5, and some others.
std::vector<float> with(const std::vector<float>& others)
{
    std::vector<float> values;
    for (int index = 0; index < 10000; ++index)
        values.push_back(0.5F + 0.0001F * static_cast<float>(index));
    values.insert(values.end(), others.begin(), others.end());
    return values;
}

TEST_CASE("few values with exponents far from all others are suspicious")
{
    CHECK(suspicions(profileOf(with({1.0e12F}))) ==
          std::vector<std::string>{"1 of its values is more than 1048576 times as large as all "
                                   "others: check whether the file is damaged"});
    CHECK(suspicions(profileOf(with({1.0e12F, -3.0e30F, 2.0e9F}))).size() == 1);
}

TEST_CASE("what models make themselves is not suspicious")
{
    CHECK(suspicions(profileOf(with({}))).empty());
    CHECK(suspicions(profileOf(with({20000.0F, -30000.0F}))).empty());            // outliers
    CHECK(suspicions(profileOf(with(std::vector<float>(8, -3.4e38F)))).empty());  // a mask
    CHECK(suspicions(profileOf(with({1.0e-30F, 1.0e-20F}))).empty());             // underflow
    CHECK(suspicions(profileOf({1.0F, 1.0e30F})).empty());                        // too few
    CHECK(suspicions(profileOf({})).empty());
    CHECK(suspicions(profileOf(std::vector<float>(5000, 0.0F))).empty());
}

TEST_CASE("of few values one that is far above the others is suspicious unless it is round")
{
    const auto fewAnd = [](float other) {
        std::vector<float> values;
        for (int index = 0; index < 100; ++index)
            values.push_back(0.5F + 0.01F * static_cast<float>(index));
        values.push_back(other);
        return suspicions(profileOf(values));
    };
    CHECK(fewAnd(1.23456e19F) ==
          std::vector<std::string>{"1 of its values is more than 1099511627776 times as large as "
                                   "all others: check whether the file is damaged"});
    CHECK(fewAnd(-1.23456e19F).size() == 1);
    CHECK(fewAnd(1.23456e9F).empty());
    // Infinities as models have them: 1e30, the greatest float32, half of that, a power of 2.
    for (const float round : {-1.0e30F, 3.4028235e38F, -1.7014117e38F, 0x1p100F, -9.99e20F})
        CHECK(fewAnd(round).empty());
}

TEST_CASE("values of all sizes beyond those of models are suspicious")
{
    std::vector<float> bytes;  // the patterns of other bytes: exponents of all kinds
    for (int exponent = -120; exponent < 120; ++exponent)
        bytes.push_back(std::ldexp(1.2345F, exponent));
    const std::vector<std::string> told = suspicions(profileOf(with(bytes)));
    REQUIRE(told.size() == 1);
    CHECK(told.front() ==
          "56 of its values are beyond 2^64, up to 8.2e+35: check whether the file is damaged");
    CHECK(suspicions(profileOf(bytes)).size() == 1);
}

}  // namespace suspicions_test
