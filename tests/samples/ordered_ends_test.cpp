// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/samples/ordered_ends.h"

#include "tests/support/catch.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

namespace ordered_ends_test {

using namespace calibscope;
using namespace calibscope::samples;

constexpr std::size_t unitSize = 9000;

/// Three units; 27,000 values, so that the middle lies beyond LargestValues::mostOfAll from either
/// end of twice as many.
std::vector<float> someUnits()
{
    std::mt19937 engine(5);
    std::normal_distribution<float> normal;
    std::vector<float> values(3 * unitSize);
    std::ranges::generate(values, [&] { return normal(engine); });
    values[10] = -0.0F;
    values[20] = std::nanf("");
    return values;
}

/// All values of the units, each as often as the weight says, in order.
std::vector<double> sorted(const std::vector<float>& values, Domain domain,
                           const std::vector<std::uint32_t>& weights)
{
    std::vector<double> all;
    for (std::size_t index = 0; index < values.size(); ++index) {
        if (!std::isfinite(values[index]))
            continue;
        const auto value = static_cast<double>(values[index]);
        all.insert(all.end(), weights[index / unitSize],
                   domain == Domain::Magnitude ? std::abs(value) : value);
    }
    std::ranges::sort(all);
    return all;
}

TEST_CASE("order statistics of weighted units are those of the values written out")
{
    const std::vector<float> values = someUnits();
    const std::vector<std::vector<std::uint32_t>> weightings = {
        {1, 1, 1}, {3, 0, 0}, {0, 1, 2}, {2, 4, 0}};
    for (const bool withMiddle : {false, true})
        for (const Domain domain : {Domain::Magnitude, Domain::Signed}) {
            OrderedEnds ends;
            CHECK_FALSE(ends.isAsked());
            std::vector<std::vector<OrderRequest>> requests;
            std::vector<std::vector<double>> expected;
            for (const std::vector<std::uint32_t>& weights : weightings) {
                expected.push_back(sorted(values, domain, weights));
                const std::uint64_t count = expected.back().size();
                requests.push_back({{domain, count - 1}, {domain, count - 40}});
                if (domain == Domain::Signed)
                    requests.back().push_back({domain, 3});
                if (withMiddle)
                    requests.back().push_back({domain, count / 2});
                for (const OrderRequest& request : requests.back())
                    ends.ask(request, count);
            }
            ends.ask({domain, 5}, 5);  // there is no such rank
            CHECK(ends.isAsked());
            const std::uint64_t all = 8 * 3 * unitSize;
            const std::vector<Extents> units(3, Extents{.finite = unitSize});
            CHECK(ends.bytes(units) >= (withMiddle ? all : 0));
            CHECK(ends.bytes(units) < (withMiddle ? all + 8 * 3 * 50 : all / 10));
            for (std::size_t unit = 0; unit < 3; ++unit)
                for (const std::size_t half : {0U, 1U})
                    ends.add(unit, std::span(values).subspan(unit * unitSize + half * unitSize / 2,
                                                             unitSize / 2));
            ends.finish();
            for (std::size_t place = 0; place < weightings.size(); ++place)
                for (const OrderRequest& request : requests[place])
                    CHECK(ends.valueOf(request, expected[place].size(), weightings[place]) ==
                          expected[place][request.rank]);
        }
}

}  // namespace ordered_ends_test
