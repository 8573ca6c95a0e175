// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/calibrators/centred/centred_search.h"

#include "tests/support/catch.h"

#include <cmath>
#include <limits>
#include <vector>

namespace centred_search_test {

using namespace calibscope;
using calibscope::test::Approx;

using Counts = std::vector<std::uint64_t>;
using Divergences = std::vector<float>;

constexpr float inf = std::numeric_limits<float>::infinity();

TEST_CASE("a window around the middle bin has as many bins on both sides")
{
    CHECK(centredWindow(7, 2).first == 1);
    CHECK(centredWindow(7, 2).end == 6);
    // Of an even number the middle bin is the upper one.
    CHECK(centredWindow(6, 1).first == 2);
    CHECK(centredWindow(6, 1).end == 5);
    CHECK(centredWindow(6, 3).first == 0);
    CHECK(centredWindow(6, 3).end == 6);
}

// The expected numbers are NumPy 1.24's for the tools' own steps, written down in Python.

TEST_CASE("windows by ONNX Runtime's steps: bins left over have nothing in Q")
{
    const CentredSearch odd =
        searchCentred(Counts{0, 1, 3, 9, 20, 11, 4, 1, 0, 2, 0}, 4, CentredSteps::OnnxRuntime);
    CHECK(odd.firstHalf == 2);
    CHECK(odd.divergences == Divergences{0.5574802756309509F, 1.2812039852142334F,
                                         0.5119835734367371F, 0.4462656080722809F});
    CHECK(odd.chosen == 3);
    const CentredSearch even =
        searchCentred(Counts{5, 0, 0, 7, 9, 30, 8, 0, 2, 0, 0, 1}, 3, CentredSteps::OnnxRuntime);
    CHECK(even.firstHalf == 1);
    CHECK(even.divergences == Divergences{0.44575873017311096F, 0.5217000246047974F,
                                          0.28681808710098267F, 0.44538721442222595F,
                                          0.4684014320373535F, 0.5553010106086731F});
    CHECK(even.chosen == 2);
}

TEST_CASE("windows by MXNet's steps: the last level has the bins left over, its first bin nothing")
{
    const auto check = [](const Counts& counts, std::size_t levels,
                          const std::vector<double>& expected) {
        // float32 logarithms of NumPy and of the C library differ by a unit of the last place.
        constexpr double unit = 1e-6;
        const CentredSearch search = searchCentred(counts, levels, CentredSteps::Mxnet);
        REQUIRE(search.divergences.size() == expected.size());
        for (std::size_t index = 0; index < expected.size(); ++index)
            CHECK(static_cast<double>(search.divergences[index]) ==
                  Approx(expected[index]).epsilon(unit));
    };
    check({0, 1, 3, 9, 20, 11, 4, 1, 0, 2, 0}, 4,
          {2.7008278369903564, 0.8802414536476135, 0.09550806879997253, 0.07638471573591232});
    check({0, 1, 3, 9, 20, 11, 4, 1, 0, 2, 0, 7, 0}, 5,
          {7.7120466232299805, 2.487473964691162, 0.7187986969947815, 0.10649159550666809,
           0.09189558774232864});
}

TEST_CASE("a window of counts in its middle bin alone has no divergence")
{
    for (const CentredSteps steps : {CentredSteps::OnnxRuntime, CentredSteps::Mxnet}) {
        const CentredSearch search = searchCentred(Counts{0, 0, 0, 9, 0, 0, 0}, 3, steps);
        CHECK(search.divergences.front() == 0.0F);
        CHECK(search.chosen == 0);
    }
}

TEST_CASE("where smoothing would take whole counts nothing can be compared")
{
    Counts counts(20003);  // a part of 1e-4 counts for each of 20002 empty bins
    counts[10001] = 5;
    for (const CentredSteps steps : {CentredSteps::OnnxRuntime, CentredSteps::Mxnet}) {
        const CentredSearch search = searchCentred(counts, 20001, steps);
        CHECK(search.divergences == Divergences{inf, inf});
        CHECK(search.chosen == 0);
    }
    const CentredSearch empty = searchCentred(Counts(9), 3, CentredSteps::Mxnet);
    CHECK(empty.divergences == Divergences(4, inf));
}

TEST_CASE("fewer bins than levels leave no window")
{
    CHECK(searchCentred(Counts(7, 1), 8, CentredSteps::OnnxRuntime).divergences.empty());
    CHECK(searchCentred(Counts(8, 1), 8, CentredSteps::OnnxRuntime).divergences.size() == 1);
    CHECK(searchCentred(Counts{}, 2, CentredSteps::Mxnet).divergences.empty());
}

TEST_CASE("sums are added in NumPy's order")
{
    // 1 + 2^-24 is 1 in float32: what is added first decides.
    const float little = 0x1p-24F;
    std::vector<float> values(16, 0.0F);
    values[0] = 1.0F;
    values[1] = little;
    values[9] = little;  // in the same running sum as values[1]
    CHECK(numpySum(values) == 1.0F + 2 * little);
    CHECK(numpySum(std::vector<float>{1.0F, little, little}) == 1.0F);
    std::vector<float> tail(9, 0.0F);
    tail[0] = 1.0F;
    tail[1] = little;
    tail[8] = little;  // added at the end
    CHECK(numpySum(tail) == 1.0F);
    // numpy.sum(numpy.sqrt(numpy.arange(n, dtype="f4"))), 8192 at a time
    std::vector<float> roots(20001);
    for (std::size_t index = 0; index < roots.size(); ++index)
        roots[index] = std::sqrt(static_cast<float>(index));
    CHECK(numpySum(std::span(roots).first(1000)) == 21065.833984375F);
    CHECK(numpySum(roots) == 1885688.625F);
}

}  // namespace centred_search_test
