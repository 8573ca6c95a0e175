// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tensor/value_source.h"

#include "core/base/progress.h"
#include "tests/support/catch.h"

#include <numeric>
#include <stdexcept>
#include <vector>

namespace value_source_test {

using namespace calibscope;

/// Seven samples of two values each, three at once.
TensorInfo sevenSamples()
{
    TensorInfo info;
    info.shape = {7, 2};
    info.batchAxis = 0;
    info.batchSize = 3;
    return info;
}

TEST_CASE("values in memory are visited batch by batch and read as a whole")
{
    std::vector<float> values(14);
    std::iota(values.begin(), values.end(), 0.0F);
    const ValueSource source = sourceOf(sevenSamples(), values);
    std::vector<std::size_t> sizes;
    source.visit([&sizes](const Block& block) { sizes.push_back(block.values.size()); }, {});
    CHECK(sizes == std::vector<std::size_t>{6, 6, 2});
    CHECK(readAll(source) == values);
    CHECK_THROWS_AS(sourceOf(sevenSamples(), std::span(values).first(13)), std::invalid_argument);
}

TEST_CASE("reading all values can be stopped")
{
    const std::vector<float> values(14);
    std::stop_source stop;
    stop.request_stop();
    CHECK_THROWS_AS(readAll(sourceOf(sevenSamples(), values), Progress(stop.get_token(), {})),
                    Cancelled);
}

}  // namespace value_source_test
