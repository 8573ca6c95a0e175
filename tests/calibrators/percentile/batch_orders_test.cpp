// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/calibrators/percentile/batch_orders.h"

#include "tests/support/catch.h"
#include "tests/support/profiles.h"

#include <limits>
#include <random>

namespace batch_orders_test {

using namespace calibscope;

using Batches = std::vector<std::vector<float>>;

/// Comes in blocks of three values.
ValueSource sourceOfBatches(const Batches& batches)
{
    return {.info = {}, .visit = [&batches](const BlockVisitor& visitor, const Progress&) {
                for (std::size_t batch = 0; batch < batches.size(); ++batch)
                    for (std::size_t first = 0; first < batches[batch].size(); first += 3)
                        visitor(
                            {.values = std::span(batches[batch])
                                           .subspan(first, std::min<std::size_t>(
                                                               3, batches[batch].size() - first)),
                             .firstIndex = first,
                             .batch = batch});
            }};
}

TEST_CASE("order statistics of batches are those of sorting each")
{
    std::mt19937 engine(3);
    std::normal_distribution<float> normal;
    Batches batches(3);
    for (std::size_t batch = 0; batch < batches.size(); ++batch)
        for (std::size_t index = 0; index < 40 + 30 * batch; ++index)
            batches[batch].push_back(index % 7 == 0 ? -0.0F : normal(engine));
    batches[1].push_back(std::nanf(""));
    batches[1].push_back(std::numeric_limits<float>::infinity());
    batches[2].push_back(-std::numeric_limits<float>::max());
    std::vector<BatchOrder> orders;
    for (const std::size_t batch : {2U, 0U, 1U})
        for (const Domain domain : {Domain::Signed, Domain::Magnitude})
            for (const std::uint64_t rank : {0U, 1U, 17U, 39U})
                orders.push_back({.batch = batch, .request = {.domain = domain, .rank = rank}});
    const ValueSource source = sourceOfBatches(batches);
    const Progress progress;
    const std::vector<double> found =
        batchOrders(orders, {.source = source, .memoryBytes = 0, .progress = progress});
    for (std::size_t index = 0; index < orders.size(); ++index) {
        const double expected =
            test::sortedOrder(batches[orders[index].batch], orders[index].request).value;
        CHECK(found[index] == expected);
        CHECK_FALSE(std::signbit(found[index]) != (expected < 0.0));  // never -0
    }
}

}  // namespace batch_orders_test
