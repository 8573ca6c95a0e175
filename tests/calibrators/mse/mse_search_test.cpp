// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/calibrators/mse/mse_search.h"

#include "tests/support/catch.h"
#include "tests/support/kernel_samples.h"

#include <algorithm>
#include <vector>

namespace mse_search_test {

using namespace calibscope;

struct Counted
{
    Extents extents;
    Histogram histogram;
};

Counted countedOf(const std::vector<float>& values)
{
    Counted counted;
    counted.extents.add(values);
    counted.histogram = {.spec = {.bins = 1024, .domain = Domain::Signed},
                         .low = counted.extents.min,
                         .high = counted.extents.max,
                         .counts = std::vector<std::uint64_t>(1024)};
    counted.histogram.add(values);
    return counted;
}

TEST_CASE("the least of many thresholds is the plain form's, and has its bits")
{
    for (const auto& [kind, values] : test::kernelSamples()) {
        const auto [extents, histogram] = countedOf(values);
        if (!(extents.absMax() > 0.0))
            continue;
        INFO(kind);
        const HistogramMass mass(histogram, Density::Uniform, knownPoints(extents, Domain::Signed));
        std::vector<double> thresholds;
        std::vector<double> plain;
        for (int step = 1; step <= 500; ++step) {
            thresholds.push_back(extents.absMax() * step / 500.0);
            const Quantizer quantizer =
                makeQuantizer({}, {.threshold = thresholds.back()}).quantizer;
            plain.push_back(quantizationError(mass, quantizer).total());
        }
        const std::vector<SplitError> errors = thresholdErrors(mass, {}, thresholds);
        const auto least = std::ranges::min_element(errors, {}, &SplitError::total);
        const auto plainLeast = std::ranges::min_element(plain);
        CHECK(least - errors.begin() == plainLeast - plain.begin());
        CHECK(least->total() == *plainLeast);
    }
}

TEST_CASE("no pair of ends in steps of a 128th has less error than the best range")
{
    for (const auto& [kind, values] : test::kernelSamples()) {
        if (kind != "normal" && kind != "GELU")
            continue;
        INFO(kind);
        const auto [extents, histogram] = countedOf(values);
        const HistogramMass mass(histogram, Density::Uniform, knownPoints(extents, Domain::Signed));
        const Scheme scheme{.kind = SchemeKind::Affine, .bits = 4};
        const Range full{extents.min, extents.max};
        const double found = rangeError(mass, scheme, bestRange(mass, scheme, full)).total();
        double least = rangeError(mass, scheme, full).total();
        for (int low = 1; low <= 128; low += 3)
            for (int high = 1; high <= 128; high += 3)
                least =
                    std::min(least, rangeError(mass, scheme,
                                               {full.low * low / 128.0, full.high * high / 128.0})
                                        .total());
        CHECK(found <= least);
    }
}

}  // namespace mse_search_test
