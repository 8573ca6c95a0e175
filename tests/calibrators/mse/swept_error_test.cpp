// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/calibrators/mse/swept_error.h"

#include "tests/support/catch.h"
#include "tests/support/kernel_samples.h"

#include <cmath>
#include <vector>

namespace swept_error_test {

using namespace calibscope;

Histogram histogramOf(const std::vector<float>& values, const Extents& extents, Domain domain,
                      int bins)
{
    Histogram histogram{.spec = {.bins = bins, .domain = domain},
                        .low = domain == Domain::Signed ? extents.min : 0.0,
                        .high = domain == Domain::Signed ? extents.max : extents.absMax(),
                        .counts = std::vector<std::uint64_t>(static_cast<std::size_t>(bins))};
    histogram.add(values);
    return histogram;
}

std::vector<Scheme> schemes()
{
    return {{},
            {.kind = SchemeKind::SymmetricFull},
            {.kind = SchemeKind::SymmetricFull, .divisor = Divisor::QmaxPlusHalf},
            {.divisor = Divisor::Levels},
            {.bits = 4},
            {.bits = 10},
            {.bits = 16},
            {.rounding = Rounding::FloorHalf, .powerOfTwo = true},
            {.integers = Integers::Unsigned},
            {.kind = SchemeKind::Affine},
            {.kind = SchemeKind::Affine, .bits = 3},
            {.kind = SchemeKind::AffineReal}};
}

Quantizer quantizerOf(const Scheme& scheme, const Extents& extents, double share)
{
    if (scheme.isAffine())
        return makeQuantizer(scheme, {.range = Range{std::min(extents.min, 0.0) * share,
                                                     std::max(extents.max, 0.0)}})
            .quantizer;
    return makeQuantizer(scheme, {.threshold = extents.absMax() * share}).quantizer;
}

double differenceOf(double swept, double plain)
{
    return swept == plain ? 0.0 : std::abs(swept - plain) / std::max(swept, plain);
}

/// The largest relative difference over schemes and thresholds.
double worstOn(const std::vector<float>& values, Domain domain, Density density)
{
    Extents extents;
    extents.add(values);
    if (!(extents.absMax() > 0.0))
        return 0.0;
    double worst = 0.0;
    for (const int bins : {512, 2048}) {
        const HistogramMass mass(histogramOf(values, extents, domain, bins), density,
                                 knownPoints(extents, domain));
        const SweptError swept(mass);
        for (const Scheme& scheme : schemes())
            for (int step = 1; step <= 40; ++step) {
                const Quantizer quantizer = quantizerOf(scheme, extents, step / 40.0);
                const SplitError plain = quantizationError(mass, quantizer);
                worst = std::max(worst, differenceOf(swept.at(quantizer).total(), plain.total()));
            }
    }
    return worst;
}

TEST_CASE("swept errors are those of the plain form within the tolerance, for all kinds")
{
    for (const auto& [kind, values] : test::kernelSamples())
        for (const Domain domain : {Domain::Magnitude, Domain::Signed})
            for (const Density density : {Density::Uniform, Density::Centre}) {
                INFO(kind << (domain == Domain::Signed ? ", signed" : "")
                          << (density == Density::Centre ? ", centres" : ""));
                CHECK(worstOn(values, domain, density) <= sweptTolerance);
            }
}

TEST_CASE("swept errors by hand: values 0 to 3 evenly at unit levels up to 2")
{
    const Histogram histogram{
        .spec = {.bins = 8}, .low = 0.0, .high = 3.0, .counts = std::vector<std::uint64_t>(8, 3)};
    const HistogramMass mass(histogram, Density::Uniform);
    const SweptError swept(mass);
    const SplitError error = swept.at({.clip = {-2.0, 2.0}, .lowLevel = -2, .highLevel = 2});
    // Density 8; four halves of a cell inside the clip range, each 1/24; beyond it 1/3.
    CHECK(error.rounding == test::Approx(8.0 * 4.0 / 24.0).epsilon(1e-14));
    CHECK(error.clipping == test::Approx(8.0 / 3.0).epsilon(1e-14));
}

TEST_CASE("a tool's own edges are not equal: the plain form is taken")
{
    const Histogram histogram{
        .spec = {.bins = 3}, .low = 0.0, .high = 4.0, .counts = {5, 6, 7}, .edges = {0, 1, 1.5, 4}};
    const HistogramMass mass(histogram, Density::Uniform);
    const Quantizer quantizer = makeQuantizer({.bits = 2}, {.threshold = 3.0}).quantizer;
    CHECK(SweptError(mass).at(quantizer).total() == quantizationError(mass, quantizer).total());
}

}  // namespace swept_error_test
