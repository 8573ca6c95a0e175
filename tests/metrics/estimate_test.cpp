#include "core/metrics/estimate.h"

#include "core/metrics/metric.h"
#include "core/stats/extents.h"
#include "tests/support/catch.h"

#include <cmath>
#include <random>
#include <string_view>
#include <vector>

using namespace calibscope;
using calibscope::test::Approx;

namespace {

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

}  // namespace

TEST_CASE("estimates from the sketch are within 0.05 dB of the exact ones")
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
                    estimateTally(counted(values).sketch(), quantizer, extents.absMax());
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
    const ErrorTally estimate = estimateTally(counted(values).sketch(), quantizer, 5.0);
    CHECK(estimate.sums.clipped == exact.sums.clipped);
    CHECK(estimate.sums.squaredRounding == Approx(exact.sums.squaredRounding).epsilon(1e-12));
    CHECK(estimate.sums.squaredClipping == Approx(exact.sums.squaredClipping).epsilon(1e-12));
    CHECK(estimate.sums.maxError == exact.sums.maxError);
    CHECK(estimate.levelCounts == exact.levelCounts);
    CHECK(estimate.bins == exact.bins);
}

TEST_CASE("an empty sketch estimates nothing")
{
    const ErrorTally estimate = estimateTally({}, makeQuantizer({}, {}).quantizer, 0.0);
    CHECK(estimate.sums.count == 0);
    CHECK(estimate.sums.maxError == 0.0);
}
