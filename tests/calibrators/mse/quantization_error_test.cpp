// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/calibrators/mse/quantization_error.h"

#include "tests/support/catch.h"

#include <cmath>
#include <random>
#include <vector>

namespace quantization_error_test {

using namespace calibscope;
using calibscope::test::Approx;

/// The error by its definition: every bin cut into many values, each of them quantized.
SplitError bruteForce(const Histogram& histogram, Density density, const Quantizer& quantizer)
{
    const int pieces = density == Density::Centre ? 1 : 4000;
    SplitError error;
    for (std::size_t bin = 0; bin < histogram.counts.size(); ++bin)
        for (int piece = 0; piece < pieces; ++piece) {
            const double x = histogram.edge(bin) + (piece + 0.5) / pieces * histogram.width();
            const double distance = x - quantizer.fakeQuantize(x);
            const double mass = static_cast<double>(histogram.counts[bin]) / pieces;
            (quantizer.clips(x) ? error.clipping : error.rounding) += mass * distance * distance;
        }
    return error;
}

Histogram randomHistogram(std::mt19937& engine, double low, double high)
{
    Histogram histogram{.spec = {.bins = 40, .domain = Domain::Signed},
                        .low = low,
                        .high = high,
                        .counts = std::vector<std::uint64_t>(40)};
    std::uniform_int_distribution<std::uint64_t> count(0, 50);
    for (std::uint64_t& filled : histogram.counts)
        filled = count(engine) / 10 * count(engine);
    return histogram;
}

std::vector<Scheme> schemes()
{
    return {{.kind = SchemeKind::SymmetricRestricted, .bits = 3},
            {.kind = SchemeKind::SymmetricRestricted, .bits = 4, .divisor = Divisor::Levels},
            {.kind = SchemeKind::SymmetricFull, .bits = 4, .divisor = Divisor::QmaxPlusHalf},
            {.kind = SchemeKind::Affine, .bits = 3},
            {.kind = SchemeKind::AffineReal, .bits = 5},
            {.kind = SchemeKind::Affine, .bits = 8, .powerOfTwo = true}};
}

Quantizer quantizerOf(const Scheme& scheme, double low, double high)
{
    if (scheme.isAffine())
        return makeQuantizer(scheme, {.range = Range{low, high}}).quantizer;
    return makeQuantizer(scheme, {.threshold = high}).quantizer;
}

TEST_CASE("one bin worked out by hand: values 0 to 3 at unit levels up to 2")
{
    const Histogram histogram{.spec = {.bins = 1}, .low = 0.0, .high = 3.0, .counts = {6}};
    const HistogramMass mass(histogram, Density::Uniform);
    const Quantizer quantizer{.clip = {-2.0, 2.0}, .lowLevel = -2, .highLevel = 2};
    // Density 2; four halves of a cell inside the clip range, each 1/24; beyond it 1/3.
    for (const SplitError& error : {errorByLevels(mass, quantizer), errorByBins(mass, quantizer)}) {
        CHECK(error.rounding == Approx(2.0 * 4.0 / 24.0));
        CHECK(error.clipping == Approx(2.0 / 3.0));
    }
}

TEST_CASE("both forms are the definition's error under every scheme, split as it is")
{
    std::mt19937 engine(5);
    std::uniform_real_distribution<double> share(0.2, 1.2);
    for (int round = 0; round < 5; ++round)
        for (const Density density : {Density::Uniform, Density::Centre})
            for (const Scheme& scheme : schemes()) {
                const double low = -2.0 * share(engine);
                const Histogram histogram = randomHistogram(engine, low, 3.0);
                const Quantizer quantizer =
                    quantizerOf(scheme, low * share(engine), 3.0 * share(engine));
                const HistogramMass mass(histogram, density);
                const SplitError expected = bruteForce(histogram, density, quantizer);
                INFO(schemeText(scheme.kind) << " " << scheme.bits << " round " << round);
                // A piece is 1/4000 of a bin: cut at a border of two cells it is off by its half.
                const double near = density == Density::Centre ? 1e-9 : 2e-3;
                for (const SplitError& error :
                     {errorByLevels(mass, quantizer), errorByBins(mass, quantizer)}) {
                    CHECK(error.rounding == Approx(expected.rounding).epsilon(near).margin(1e-9));
                    CHECK(error.clipping == Approx(expected.clipping).epsilon(near).margin(1e-9));
                }
                CHECK(leastError(mass, quantizer) <=
                      errorByLevels(mass, quantizer).total() * (1.0 + 1e-12));
            }
}

TEST_CASE("the two forms agree to rounding also for 16 bits")
{
    std::mt19937 engine(6);
    const Histogram histogram = randomHistogram(engine, -1.0, 1.0);
    const HistogramMass mass(histogram, Density::Uniform);
    for (const SchemeKind kind : {SchemeKind::SymmetricRestricted, SchemeKind::Affine}) {
        const Quantizer quantizer = quantizerOf({.kind = kind, .bits = 16}, -0.9, 0.9);
        const SplitError levels = errorByLevels(mass, quantizer);
        const SplitError bins = errorByBins(mass, quantizer);
        CHECK(levels.rounding == Approx(bins.rounding).epsilon(1e-5));
        CHECK(levels.clipping == Approx(bins.clipping).epsilon(1e-9));
        CHECK(quantizationError(mass, quantizer).total() == bins.total());
    }
}

TEST_CASE("known points are taken out of their bins and have their own error")
{
    const Histogram histogram{.spec = {.bins = 4}, .low = 0.0, .high = 4.0, .counts = {7, 0, 2, 3}};
    const HistogramMass mass(histogram, Density::Centre,
                             {{.value = 0.0, .count = 6.0}, {.value = 4.0, .count = 5.0}});
    CHECK(mass.binCount(0) == 1.0);
    CHECK(mass.binCount(3) == 0.0);  // no more than it holds
    CHECK(mass.count() == 12.0);
    const Quantizer quantizer{.clip = {-3.0, 3.0}, .lowLevel = -3, .highLevel = 3};
    const SplitError error = quantizationError(mass, quantizer);
    CHECK(error.rounding == Approx(0.25 * 3.0));  // 0.5 once and 2.5 twice
    CHECK(error.clipping == Approx(3.0));         // 4 three times, at 3
}

TEST_CASE("zeros, least and greatest value are known, in the magnitude domain the largest")
{
    Extents extents;
    extents.add(std::vector<float>{0.0F, -2.0F, 2.0F, 2.0F, 1.0F});
    const std::vector<PointMass> magnitudes = knownPoints(extents, Domain::Magnitude);
    REQUIRE(magnitudes.size() == 2);
    CHECK(magnitudes[1].value == 2.0);
    CHECK(magnitudes[1].count == 3.0);
    const std::vector<PointMass> values = knownPoints(extents, Domain::Signed);
    REQUIRE(values.size() == 3);
    CHECK(values[1].value == -2.0);
    CHECK(values[2].count == 2.0);
    Extents constant;
    constant.add(std::vector<float>{-3.0F, -3.0F});
    REQUIRE(knownPoints(constant, Domain::Magnitude).size() == 1);
    CHECK(knownPoints(constant, Domain::Magnitude)[0].count == 2.0);
    REQUIRE(knownPoints(constant, Domain::Signed).size() == 1);
}

}  // namespace quantization_error_test
