#include "core/stats/suspicions.h"

#include "tests/support/catch.h"

#include <vector>

using namespace calibscope;

namespace {

TensorProfile profileOf(const std::vector<float>& values)
{
    SketchCounter counter;
    counter.add(values);
    TensorProfile profile;
    profile.sketch = counter.sketch();
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

}  // namespace

TEST_CASE("few values with exponents far from all others are suspicious")
{
    CHECK(suspicions(profileOf(with({1.0e12F}))) ==
          std::vector<std::string>{"1 of its values are more than 1048576 times as large as all "
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
