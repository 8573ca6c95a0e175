// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metrics/error_summary.h"

#include "core/metrics/common_bins.h"
#include "tests/support/catch.h"

#include <algorithm>
#include <numeric>
#include <random>
#include <stdexcept>
#include <vector>

namespace error_summary_test {

using namespace calibscope;
using calibscope::test::Approx;

ErrorTally tallyOf(const ClipChoice& choice, double absMax, const std::vector<float>& values,
                   const Scheme& scheme = {})
{
    ErrorTally tally(makeQuantizer(scheme, choice).quantizer, absMax);
    tally.add(values);
    return tally;
}

double sumOf(const std::vector<double>& bins)
{
    return std::accumulate(bins.begin(), bins.end(), 0.0);
}

TEST_CASE("a level's values are spread evenly over its rounding cell")
{
    // Bins of width 1, scale 8: level 2 has the cell 12 to 20.
    const ErrorSummary errors =
        tallyOf({.threshold = 8.0 * 127}, 1024.0, {13.0F, 13.0F, 18.0F, 16.0F});
    CHECK(errors.quantized[1024 + 11] == 0.0);
    for (std::size_t bin = 12; bin < 20; ++bin)
        CHECK(errors.quantized[1024 + bin] == 0.5);
    CHECK(errors.quantized[1024 + 20] == 0.0);
    CHECK(errors.recorded[1024 + 13] == 2);
}

TEST_CASE("a cell that ends inside bins gives them their parts")
{
    // Scale 5: level 1 has the cell 2.5 to 7.5.
    const ErrorSummary errors = tallyOf({.threshold = 5.0 * 127}, 1024.0, {4.0F});
    CHECK(errors.quantized[1024 + 2] == Approx(0.1));
    CHECK(errors.quantized[1024 + 3] == Approx(0.2));
    CHECK(errors.quantized[1024 + 6] == Approx(0.2));
    CHECK(errors.quantized[1024 + 7] == Approx(0.1));
    CHECK(sumOf(errors.quantized) == Approx(1.0));
}

TEST_CASE("end levels' cells are cut at the clip range")
{
    // Scale 4, clip range up to 508: the last level's cell would be 506 to 510.
    const ErrorSummary errors = tallyOf({.threshold = 508.0}, 1024.0, {507.0F, 1024.0F});
    CHECK(errors.quantized[1024 + 506] == 1.0);
    CHECK(errors.quantized[1024 + 507] == 1.0);
    CHECK(errors.quantized[1024 + 508] == 0.0);
}

TEST_CASE("cells are cut at the largest magnitude")
{
    // Scale 1000: level 1 would reach from 500 to 1500.
    const ErrorSummary errors = tallyOf({.threshold = 127000.0}, 1024.0, {1024.0F});
    CHECK(errors.quantized[1024 + 499] == 0.0);
    CHECK(errors.quantized[1024 + 500] == Approx(1.0 / 524));
    CHECK(errors.quantized[2047] == Approx(1.0 / 524));
    CHECK(sumOf(errors.quantized) == Approx(1.0));
}

TEST_CASE("a cell far narrower than a bin, and all zeros, go to one bin")
{
    const ErrorSummary narrow = tallyOf({.threshold = 1e-40}, 12.0, {1e-40F, 0.0F});
    CHECK(sumOf(narrow.quantized) == 2.0);
    CHECK(narrow.recorded[1024] == 2);
    const ErrorSummary zeros = tallyOf({.threshold = 0.0}, 0.0, {0.0F, 0.0F, 0.0F});
    CHECK(zeros.quantized[1024] == 3.0);
    CHECK(zeros.recorded[1024] == 3);
}

TEST_CASE("channels add up, each over its own cells")
{
    const ErrorTally first = tallyOf({.threshold = 127.0}, 1024.0, {3.0F, -4.0F});
    const ErrorTally second = tallyOf({.threshold = 1270.0}, 1024.0, {900.0F, 10.0F, 0.0F});
    ChannelSummary channels;
    channels.add(first);
    channels.add(second);
    std::vector<std::uint64_t> recorded(commonBins);
    countInCommonBins(std::vector{3.0F, -4.0F, 900.0F, 10.0F, 0.0F}, 1024.0, recorded);
    const ErrorSummary whole = channels.total(recorded);
    CHECK(whole.sums.count == 5);
    CHECK(whole.sums.sumSquares == 9.0 + 16.0 + 810000.0 + 100.0);
    CHECK(whole.levelCounts[127 + 3] == 1);
    CHECK(whole.levelCounts[127 + 1] == 1);
    CHECK(whole.levelCounts[127 + 90] == 1);
    CHECK(whole.recorded[1024 + 900] == 1);
    CHECK(whole.quantized[1024 + 900] == 0.1);
    CHECK(sumOf(whole.quantized) == Approx(5.0));
}

TEST_CASE("channels that are spread in place have the bits of their own summaries added up")
{
    std::mt19937 engine(11);
    std::normal_distribution<float> normal(0.1F, 1.0F);
    ChannelSummary channels;
    std::vector<double> quantized(commonBins);
    std::vector<std::uint64_t> levels(256);
    for (const double high : {0.3, 1.0, 4.0, 0.0, 1e-30, 7.0, 8.0}) {
        std::vector<float> values(300);
        std::ranges::generate(values, [&] {
            return std::clamp(normal(engine) * static_cast<float>(high), -7.9F, 8.0F);
        });
        const ErrorTally tally =
            tallyOf({.range = Range{-0.5 * high, high}}, 8.0, values, {.kind = SchemeKind::Affine});
        channels.add(tally);
        const ErrorSummary own = tally;
        for (std::size_t bin = 0; bin < quantized.size(); ++bin)
            quantized[bin] += own.quantized[bin];
        for (std::size_t level = 0; level < levels.size(); ++level)
            levels[level] += own.levelCounts[level];
    }
    const ErrorSummary whole = channels.total({});
    CHECK(whole.quantized == quantized);
    CHECK(whole.levelCounts == levels);
    CHECK(whole.sums.count == 2100);
}

TEST_CASE("errors of different tensors or widths don't add up")
{
    const std::vector<float> values{1.0F};
    ChannelSummary errors;
    errors.add(tallyOf({.threshold = 1.0}, 1.0, values));
    CHECK_THROWS_AS(errors.add(tallyOf({.threshold = 1.0}, 2.0, values)), std::invalid_argument);
    CHECK_THROWS_AS(errors.add(tallyOf({.threshold = 1.0}, 1.0, values, {.bits = 4})),
                    std::invalid_argument);
}

}  // namespace error_summary_test
