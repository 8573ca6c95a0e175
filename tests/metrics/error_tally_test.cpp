// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metrics/error_tally.h"

#include "tests/support/catch.h"

#include <cmath>
#include <limits>
#include <random>
#include <vector>

namespace error_tally_test {

using namespace calibscope;
using calibscope::test::Approx;

Quantizer quantizerOf(Rounding rounding, SchemeKind kind, double low, double high)
{
    const Scheme scheme{.kind = kind, .rounding = rounding};
    const ClipChoice choice =
        scheme.isAffine() ? ClipChoice{.range = Range{low, high}} : ClipChoice{.threshold = high};
    return makeQuantizer(scheme, choice).quantizer;
}

/// The definition, value by value.
ErrorSums plainSums(const Quantizer& quantizer, const std::vector<float>& values)
{
    ErrorSums sums;
    for (const float value : values) {
        if (!std::isfinite(value))
            continue;
        const double x = static_cast<double>(value);
        const double quantized = quantizer.fakeQuantize(x);
        const double error = x - quantized;
        ++sums.count;
        sums.clipped += quantizer.clips(x) ? 1U : 0U;
        sums.sumSquares += x * x;
        sums.sumSquaresQuantized += quantized * quantized;
        sums.sumProducts += x * quantized;
        (quantizer.clips(x) ? sums.squaredClipping : sums.squaredRounding) += error * error;
        sums.maxError = std::max(sums.maxError, std::abs(error));
    }
    return sums;
}

void checkClose(const ErrorSums& sums, const ErrorSums& expected)
{
    constexpr double cuts = 1e-12;  // promised whatever the order of the additions
    CHECK(sums.count == expected.count);
    CHECK(sums.clipped == expected.clipped);
    CHECK(sums.sumSquares == Approx(expected.sumSquares).epsilon(cuts));
    CHECK(sums.sumSquaresQuantized == Approx(expected.sumSquaresQuantized).epsilon(cuts));
    CHECK(sums.sumProducts == Approx(expected.sumProducts).epsilon(cuts));
    CHECK(sums.squaredRounding == Approx(expected.squaredRounding).epsilon(cuts));
    CHECK(sums.squaredClipping == Approx(expected.squaredClipping).epsilon(cuts));
    CHECK(sums.maxError == expected.maxError);
}

std::vector<float> gaussian(std::size_t count, unsigned seed)
{
    std::mt19937 engine(seed);
    std::normal_distribution<float> normal(0.2F, 1.0F);
    std::vector<float> values(count);
    for (float& value : values)
        value = normal(engine);
    return values;
}

TEST_CASE("sums of a few values are those worked out by hand")
{
    // Scale 1, clip range [-127, 127].
    ErrorTally tally(quantizerOf(Rounding::HalfEven, SchemeKind::SymmetricRestricted, 0.0, 127.0),
                     130.0);
    tally.add(std::vector<float>{0.25F, -1.5F, 130.0F, 3.0F});
    CHECK(tally.sums.count == 4);
    CHECK(tally.sums.clipped == 1);
    CHECK(tally.sums.sumSquares == 0.0625 + 2.25 + 16900.0 + 9.0);
    CHECK(tally.sums.sumSquaresQuantized == 0.0 + 4.0 + 16129.0 + 9.0);
    CHECK(tally.sums.sumProducts == 0.0 + 3.0 + 16510.0 + 9.0);
    CHECK(tally.sums.squaredRounding == 0.0625 + 0.25);
    CHECK(tally.sums.squaredClipping == 9.0);
    CHECK(tally.sums.maxError == 3.0);
    CHECK(tally.levelCounts.size() == 255);
    CHECK(tally.levelCounts[127 + 0] == 1);
    CHECK(tally.levelCounts[127 - 2] == 1);
    CHECK(tally.levelCounts[127 + 3] == 1);
    CHECK(tally.levelCounts[254] == 1);
    CHECK(tally.bins[1024 + 1] == 1);   // 0.25 of bins 260/2048 = 0.127 wide
    CHECK(tally.bins[1024 - 12] == 1);  // -1.5 / 0.127 = -11.8
    CHECK(tally.bins[2047] == 1);       // the upper end has no bin of its own
}

TEST_CASE("NaN and infinities are left out of every sum")
{
    const float inf = std::numeric_limits<float>::infinity();
    ErrorTally tally(quantizerOf(Rounding::HalfEven, SchemeKind::Affine, -1.0, 1.0), 1.0);
    tally.add(std::vector<float>{std::nanf(""), inf, -inf});
    CHECK(tally.sums.count == 0);
    CHECK(tally.sums.sumSquares == 0.0);
    tally.add(std::vector<float>{0.5F, std::nanf("")});
    CHECK(tally.sums.count == 1);
    CHECK(tally.sums.sumSquares == 0.25);
}

TEST_CASE("all zeros lie in one level, also where the tensor's largest magnitude is 0")
{
    ErrorTally tally(quantizerOf(Rounding::HalfEven, SchemeKind::SymmetricFull, 0.0, 0.0), 0.0);
    tally.add(std::vector<float>{0.0F, -0.0F, 0.0F});
    CHECK(tally.sums.count == 3);
    CHECK(tally.sums.clipped == 0);
    CHECK(tally.sums.maxError == 0.0);
    CHECK(tally.levelCounts[128] == 3);
    CHECK(tally.bins[1024] == 3);
}

TEST_CASE("the fast rounding gives the levels of Quantizer::level() for every scheme and rounding")
{
    // Values on a grid of an eighth of a level, so that many are ties, and random ones beside them.
    std::vector<float> values = gaussian(2000, 3);
    for (int step = -1100; step <= 1100; ++step)
        values.push_back(static_cast<float>(step) / 8.0F);
    for (const float value : {1e-45F, 3e38F, -3e38F, 0.49999997F, -0.49999997F, 0.5F, -0.5F})
        values.push_back(value);
    for (const Rounding rounding : {Rounding::HalfEven, Rounding::HalfAway, Rounding::FloorHalf})
        for (const SchemeKind kind : {SchemeKind::SymmetricRestricted, SchemeKind::SymmetricFull,
                                      SchemeKind::Affine, SchemeKind::AffineReal})
            for (const Range range : {Range{-1.0, 127.0}, Range{-128.0, 127.0}, Range{-0.3, 254.7},
                                      Range{0.0, 1.0}, Range{-1e-3, 3e-40}}) {
                const Quantizer quantizer = quantizerOf(rounding, kind, range.low, range.high);
                ErrorTally tally(quantizer, 3e38);
                tally.add(values);
                std::vector<std::uint64_t> levels(tally.levelCounts.size());
                for (const float value : values)
                    ++levels[static_cast<std::size_t>(quantizer.level(static_cast<double>(value)) -
                                                      quantizer.lowLevel)];
                CHECK(tally.levelCounts == levels);
                checkClose(tally.sums, plainSums(quantizer, values));
            }
}

TEST_CASE("how the values are cut into blocks does not matter beyond 1e-12")
{
    const std::vector<float> values = gaussian(50000, 5);
    const Quantizer quantizer = quantizerOf(Rounding::HalfEven, SchemeKind::Affine, -2.0, 2.0);
    ErrorTally whole(quantizer, 5.0);
    whole.add(values);
    for (const std::size_t piece : {std::size_t{1}, std::size_t{777}, std::size_t{4096}}) {
        ErrorTally parts(quantizer, 5.0);
        for (std::size_t first = 0; first < values.size(); first += piece)
            parts.add(std::span(values).subspan(first, std::min(piece, values.size() - first)));
        checkClose(parts.sums, whole.sums);
        CHECK(parts.levelCounts == whole.levelCounts);
        CHECK(parts.bins == whole.bins);
    }
}

TEST_CASE("a weighted value counts as that many equal values")
{
    const Quantizer quantizer =
        quantizerOf(Rounding::HalfAway, SchemeKind::SymmetricRestricted, 0.0, 2.0);
    for (const float value : {0.3F, -1.999F, 2.5F, 0.0F}) {
        ErrorTally weighted(quantizer, 3.0);
        const double x = static_cast<double>(value);
        weighted.addErrors(x, quantizer.level(x), 1000);
        ErrorTally repeated(quantizer, 3.0);
        repeated.addErrors(std::vector<float>(1000, value));
        checkClose(weighted.sums, repeated.sums);
        CHECK(weighted.levelCounts == repeated.levelCounts);
    }
}

}  // namespace error_tally_test
