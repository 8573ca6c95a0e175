// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/logs.h"

#include "tests/support/catch.h"

#include <cmath>
#include <limits>
#include <random>
#include <vector>

namespace logs_test {

using namespace calibscope;

std::vector<double> spreadValues(std::size_t count)
{
    std::mt19937_64 engine(3);
    std::uniform_real_distribution<double> exponent(-60.0, 60.0);
    std::vector<double> values(count);
    for (double& value : values)
        value = std::exp2(exponent(engine));
    for (const double special : {1.0, 2.0, 0.5, 1.0 + 0x1p-52, 1.0 - 0x1p-53, 0x1p-1022,
                                 std::numeric_limits<double>::max(), std::sqrt(0.5)})
        values.push_back(special);
    return values;
}

TEST_CASE("logarithms by vectors have the bits of those one by one")
{
    const std::vector<double> values = spreadValues(1003);
    for (const std::size_t size : {std::size_t{0}, std::size_t{1}, std::size_t{7}, values.size()}) {
        std::vector<double> logs(size);
        kernels::logsOf(std::span(values).first(size), logs);
        for (std::size_t index = 0; index < size; ++index)
            CHECK(logs[index] == kernels::logPlain(values[index]));
    }
}

TEST_CASE("logarithms are within two units in the last place")
{
    CHECK(kernels::logPlain(1.0) == 0.0);
    for (const double x : spreadValues(10000)) {
        const double expected = std::log(x);
        const double unit =
            std::abs(std::nextafter(expected, std::numeric_limits<double>::infinity()) - expected);
        INFO(x);
        CHECK(std::abs(kernels::logPlain(x) - expected) <= 2.0 * unit);
    }
}

}  // namespace logs_test
