// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/stats/tool_edges.h"

#include "tests/support/catch.h"

#include <random>

namespace tool_edges_test {

using namespace calibscope;

// Golden numbers: PyTorch 1.13.0 (Debian, AVX2, one thread) and NumPy 1.24.2, by the calls named.

TEST_CASE("torch.linspace: eight edges from each base, from 0 below the middle and from high above")
{
    // torch.linspace(0, torch.tensor(numpy.float32(0.7)), 35)
    const std::vector<double> edges = torchLinspace(0.7F, 34);
    REQUIRE(edges.size() == 35);
    CHECK(edges[0] == 0.0);
    CHECK(edges[1] == 0x1.51515p-6);
    CHECK(edges[9] == 0x1.7b7b7ap-3);
    CHECK(edges[16] == 0x1.51515p-2);
    CHECK(edges[17] == 0x1.666664p-2);  // from the lower base: half of 0.7 would be 0x1.666666p-2
    CHECK(edges[20] == 0x1.a5a5a4p-2);
    CHECK(edges[31] == 0x1.46c6c6p-1);
    CHECK(edges[33] == 0x1.5bdbdcp-1);
    CHECK(edges[34] == 0x1.666666p-1);
}

TEST_CASE("torch.arange: edges from bases that are rounded first, the end left out")
{
    // torch.arange(0, torch.tensor(numpy.float32(1)) + width, width), width = 0x1.51515p-6
    const float width = 0x1.51515p-6F;
    const std::vector<double> edges = torchArange(1.0F + width, width);
    REQUIRE(edges.size() == 50);
    CHECK(edges[0] == 0.0);
    CHECK(edges[9] == 0x1.7b7b7ap-3);
    CHECK(edges[15] == 0x1.3c3c3cp-2);
    CHECK(edges[23] == 0x1.e4e4e4p-2);
    CHECK(edges[40] == 0x1.a5a5a4p-1);
    CHECK(edges[49] == 0x1.024242p+0);
}

TEST_CASE("torch.histc: the share of the range is rounded before it is scaled")
{
    // torch.histc(x, 100, 0, numpy.float32(3.3)).argmax(); exact arithmetic gives one bin less.
    const SingleRange range{0.0F, 3.3F};
    CHECK(torchBin(0x1.4db22cp+1F, range, 100) == 79);
    CHECK(torchBin(0x1.1f3b64p+0F, range, 100) == 34);
    CHECK(torchBin(0x1.410624p+1F, range, 100) == 76);
    CHECK(torchBin(3.3F, range, 100) == 99);
    CHECK(torchBin(0.0F, range, 100) == 0);
    CHECK(torchBin(-1.0F, {-2.0F, 2.0F}, 4) == 1);
}

TEST_CASE("numpy.histogram: edges in double, then rounded to float32")
{
    // numpy.histogram(numpy.array([.1, .7], 'f4'), bins=7)[1]
    const std::vector<double> edges =
        numpyLinspace(static_cast<double>(0.1F), static_cast<double>(0.7F), 7);
    CHECK(edges == std::vector<double>{0x1.99999ap-4, 0x1.7c57c6p-3, 0x1.15f15ep-2, 0x1.6db6dcp-2,
                                       0x1.c57c58p-2, 0x1.0ea0eap-1, 0x1.3a83a8p-1, 0x1.666666p-1});
}

TEST_CASE("numpy.arange: counted in float32, continued by the first difference")
{
    // w = edges[1] - edges[0] of above; numpy.arange(f4(0.7) + w, f4(1.3) + w, w)
    const float width = 0x1.7c57c6p-3F - 0x1.99999ap-4F;
    CHECK(numpyArange(0.7F + width, 1.3F + width, width) ==
          std::vector<double>{0x1.924924p-1, 0x1.be2be2p-1, 0x1.ea0eap-1, 0x1.0af8afp+0,
                              0x1.20ea0ep+0, 0x1.36db6dp+0, 0x1.4cccccp+0});
    // Twice the range of ten bins of numpy.histogram([0, f4(0.05)], 10): one bin more than ten.
    const std::vector<double> ten = numpyLinspace(0.0, static_cast<double>(0.05F), 10);
    const float tenth = static_cast<float>(ten[1]);
    CHECK(numpyArange(0.05F + tenth, 2.0F * 0.05F + tenth, tenth).size() == 11);
    CHECK(numpyArange(2.0, 1.0, 0.5).empty());
    CHECK(numpyArange(1.0, 2.0, 0.5) == std::vector<double>{1.0, 1.5});
}

TEST_CASE("tools' edges ascend and are the exact ones but for float32 rounding")
{
    std::mt19937 engine(3);
    std::uniform_real_distribution<float> exponent(-20.0F, 20.0F);
    for (int round = 0; round < 50; ++round) {
        const float high = std::exp2(exponent(engine));
        const std::vector<double> torch = torchLinspace(high, 2048);
        const std::vector<double> numpy = numpyLinspace(0.0, static_cast<double>(high), 2048);
        for (std::size_t edge = 1; edge <= 2048; ++edge) {
            const double exact = static_cast<double>(high) * static_cast<double>(edge) / 2048.0;
            const double rounding = 4.0 * 0x1p-24 * static_cast<double>(high);
            if (!(torch[edge] > torch[edge - 1]) || !(numpy[edge] > numpy[edge - 1]) ||
                std::abs(torch[edge] - exact) > rounding ||
                std::abs(numpy[edge] - exact) > rounding)
                FAIL("edge " << edge << " of " << high);
        }
    }
}

}  // namespace tool_edges_test
