// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metrics/estimate.h"

#include "core/metrics/metric.h"
#include "core/stats/extents.h"
#include "tests/support/bounded_pairs.h"
#include "tests/support/catch.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <string_view>
#include <vector>

namespace metrics_estimate_test {

using namespace calibscope;
using calibscope::test::Approx;

enum class Shape { Gaussian, Relu, Laplace, LongTail, Softmax };

std::vector<float> drawn(Shape shape)
{
    std::mt19937 engine(12);
    std::normal_distribution<float> normal;
    std::exponential_distribution<float> exponential;
    std::vector<float> values(60000);
    for (float& value : values) {
        const float gauss = normal(engine);
        switch (shape) {
        case Shape::Gaussian: value = gauss; break;
        case Shape::Relu: value = std::max(gauss, 0.0F); break;
        case Shape::Laplace: value = exponential(engine) * (gauss > 0.0F ? 1.0F : -1.0F); break;
        case Shape::LongTail: value = gauss * std::exp(1.5F * normal(engine)); break;
        case Shape::Softmax: value = std::exp(3.0F * gauss - 9.0F); break;
        }
    }
    return values;
}

SketchCounter counted(const std::vector<float>& values)
{
    SketchCounter counter;
    counter.add(values);
    return counter;
}

double metric(std::string_view id, const ErrorSummary& errors)
{
    for (const Metric& candidate : metrics())
        if (candidate.id == id)
            return candidate.evaluate(errors).value();
    FAIL("no such metric");
    return 0.0;
}

TEST_CASE("8-bit estimates of plain distributions are within 0.05 dB of the exact ones")
{
    for (const Shape shape :
         {Shape::Gaussian, Shape::Relu, Shape::Laplace, Shape::LongTail, Shape::Softmax})
        for (const SchemeKind kind : {SchemeKind::SymmetricRestricted, SchemeKind::Affine})
            for (const double share : {1.0, 0.7, 0.2}) {
                const std::vector<float> values = drawn(shape);
                Extents extents;
                extents.add(values);
                const ClipChoice choice =
                    kind == SchemeKind::Affine
                        ? ClipChoice{.range = Range{share * std::min(extents.min, 0.0),
                                                    share * extents.max}}
                        : ClipChoice{.threshold = share * extents.absMax()};
                const Quantizer quantizer = makeQuantizer({.kind = kind}, choice).quantizer;
                ErrorTally exact(quantizer, extents.absMax());
                exact.add(values);
                const ErrorTally estimate =
                    SketchErrors(counted(values).sketch(), {extents.min, extents.max})
                        .under(quantizer)
                        .tally;
                INFO("shape " << static_cast<int>(shape) << " share " << share);
                CHECK(std::abs(metric("sqnr_db", estimate) - metric("sqnr_db", exact)) < 0.05);
                CHECK(metric("clipped_share", estimate) ==
                      Approx(metric("clipped_share", exact)).margin(0.001));
                CHECK(estimate.sums.count == exact.sums.count);
            }
}

TEST_CASE("zeros and data on a coarse grid are exact in the estimate")
{
    std::vector<float> values(1000, 0.0F);
    for (int step = -40; step <= 40; ++step)
        values.push_back(static_cast<float>(step) / 8.0F);
    const Quantizer quantizer = makeQuantizer({}, {.threshold = 4.4}).quantizer;
    ErrorTally exact(quantizer, 5.0);
    exact.add(values);
    const ErrorTally estimate =
        SketchErrors(counted(values).sketch(), {-5.0, 5.0}).under(quantizer).tally;
    CHECK(estimate.sums.clipped == exact.sums.clipped);
    CHECK(estimate.sums.squaredRounding == Approx(exact.sums.squaredRounding).epsilon(1e-12));
    CHECK(estimate.sums.squaredClipping == Approx(exact.sums.squaredClipping).epsilon(1e-12));
    CHECK(estimate.sums.maxError == exact.sums.maxError);
    CHECK(estimate.levelCounts == exact.levelCounts);
    CHECK(estimate.bins == exact.bins);
}

TEST_CASE("an empty sketch estimates nothing")
{
    const ErrorTally estimate = SketchErrors({}, {}).under(makeQuantizer({}, {}).quantizer).tally;
    CHECK(estimate.sums.count == 0);
    CHECK(estimate.sums.maxError == 0.0);
}

TEST_CASE("exact metrics lie within the bounds of their estimates")
{
    constexpr std::array bits = {4, 5, 8, 10, 12, 16};
    test::BoundedPairs found;
    for (const Shape shape :
         {Shape::Gaussian, Shape::Relu, Shape::Laplace, Shape::LongTail, Shape::Softmax}) {
        const std::vector<float> values = drawn(shape);
        found.add("shape " + std::to_string(static_cast<int>(shape)), values,
                  test::rangeQuantizers(values, bits));
    }
    // Steps that are a level's, a part of one, and none; far from zero, and few values.
    for (const double step : {0.0625, 0.01, 1.0 / 127.0, 3.0 / 254.0, 1000.0})
        for (const std::size_t count : {std::size_t{40}, std::size_t{20000}}) {
            const std::vector<float> values = test::latticeValues(count, step, 50.0, 7);
            found.add("lattice " + std::to_string(step), values,
                      test::rangeQuantizers(values, bits));
        }
    CHECK(found.outside == std::vector<std::string>{});
    CHECK(found.pairs == 15U * bits.size() * 9U);
}

TEST_CASE("where the sketch is too coarse for the levels, the bar says so")
{
    // One bin of the sketch, [0.5, 0.50049), is the cell of the 12-bit level 1024: values near both
    // of its ends have the mean of its middle.
    std::vector<float> values(100, 1.0F);
    for (int index = 0; index < 2000; ++index)
        values.push_back(index % 2 == 0 ? 0.50001F : 0.50048F);
    const Quantizer quantizer = makeQuantizer({.bits = 12}, {.threshold = 1.0}).quantizer;
    Extents extents;
    extents.add(values);
    ErrorTally exact(quantizer, 1.0);
    exact.add(values);
    const ErrorEstimate estimate =
        SketchErrors(counted(values).sketch(), {extents.min, extents.max}).under(quantizer);
    const double value = metric("sqnr_db", estimate.tally);
    CHECK(std::abs(value - metric("sqnr_db", exact)) > 1.0);
    CHECK(sqnrBarDb(estimate) >= std::abs(value - metric("sqnr_db", exact)));
}

TEST_CASE("values that the sketch keeps exactly have no bar")
{
    std::vector<float> values(1000, 0.0F);
    for (int step = -40; step <= 40; ++step)
        values.insert(values.end(), 30, static_cast<float>(step) / 8.0F);
    const Quantizer quantizer = makeQuantizer({.bits = 16}, {.threshold = 4.4}).quantizer;
    const ErrorEstimate estimate =
        SketchErrors(counted(values).sketch(), {-5.0, 5.0}).under(quantizer);
    CHECK(sqnrBarDb(estimate) < 1e-9);
    CHECK(estimate.bounds.levelsUsed.width() == 0.0);
    CHECK(estimate.bounds.clipped.width() == 0.0);
    const Quantizer wide = makeQuantizer({.bits = 16}, {.threshold = 5.5}).quantizer;
    const ErrorBounds unclipped =
        SketchErrors(counted(values).sketch(), {-5.0, 5.0}).under(wide).bounds;
    CHECK(unclipped.squaredClipping == Range{});
    CHECK(estimate.bounds.maxError.width() == 0.0);
}

TEST_CASE("an empty sketch has no bounds")
{
    const ErrorEstimate estimate = SketchErrors({}, {}).under(makeQuantizer({}, {}).quantizer);
    CHECK(metricBounds(estimate.bounds).least.empty());
    CHECK(sqnrBarDb(estimate) == 0.0);
}

}  // namespace metrics_estimate_test
