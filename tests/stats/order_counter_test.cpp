// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/stats/order_counter.h"

#include "tests/support/catch.h"
#include "tests/support/kernel_samples.h"

#include <algorithm>
#include <cmath>

namespace order_counter_test {

using namespace calibscope;

std::vector<double> sortedFinite(const std::vector<float>& values, Domain domain)
{
    std::vector<double> sorted;
    for (const float value : values)
        if (std::isfinite(value))
            sorted.push_back(
                static_cast<double>(domain == Domain::Magnitude ? std::abs(value) : value));
    std::ranges::sort(sorted);
    return sorted;
}

double counted(const std::vector<float>& values, const OrderRequest& request)
{
    SketchCounter sketch;
    sketch.add(values);
    auto counter = OrderCounter::of(request, sketch.sketch());
    if (!counter)
        return 0.0;
    for (std::size_t first = 0; first < values.size(); first += 1777)
        counter->add(
            std::span(values).subspan(first, std::min<std::size_t>(1777, values.size() - first)));
    CHECK(counter->statistic().request == request);
    return counter->statistic().value;
}

TEST_CASE("counted order statistics are those of a sort, in both domains, for all kinds")
{
    for (const auto& [kind, values] : test::kernelSamples())
        for (const Domain domain : {Domain::Magnitude, Domain::Signed}) {
            const std::vector<double> sorted = sortedFinite(values, domain);
            for (std::size_t rank = 0; rank < sorted.size(); rank += 617) {
                INFO(kind << ", rank " << rank);
                CHECK(counted(values, {.domain = domain, .rank = rank}) == sorted[rank]);
            }
        }
}

TEST_CASE("counted order statistics are exact where thousands of values share a sketch bin")
{
    std::vector<float> values(1200);
    for (std::size_t index = 0; index < values.size(); ++index)  // 1 to 1 + 2^-13 in single steps
        values[index] = (index % 3 == 0 ? -1.0F : 1.0F) + static_cast<float>(index) * 0x1p-23F;
    for (const Domain domain : {Domain::Magnitude, Domain::Signed}) {
        const std::vector<double> sorted = sortedFinite(values, domain);
        for (const std::uint64_t rank : {0U, 1U, 399U, 400U, 401U, 800U, 1198U, 1199U})
            CHECK(counted(values, {.domain = domain, .rank = rank}) == sorted[rank]);
    }
}

}  // namespace order_counter_test
