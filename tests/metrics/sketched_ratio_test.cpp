// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metrics/sketched_ratio.h"

#include "core/collect/collect_profile.h"
#include "core/metrics/estimate.h"
#include "core/recipes/outcome.h"
#include "core/recipes/scale_rows.h"
#include "tests/support/catch.h"

#include <random>
#include <vector>

namespace sketched_ratio_test {

using namespace calibscope;
using calibscope::test::Approx;

TEST_CASE("the ratio of a sketch is that of its estimate, under every kind of scheme")
{
    std::mt19937 engine(4);
    std::normal_distribution<float> normal(0.3F, 1.0F);
    std::vector<float> values(5000);
    for (float& value : values)
        value = std::max(normal(engine), -0.5F) + 0.0F;
    values[7] = 0.0F;
    SketchCounter counter;
    counter.add(values);
    const MagnitudeSketch sketch = counter.sketch();
    const SketchedRatio ratio(sketch);
    const SketchErrors errors(sketch, {-0.5, 5.0});
    const Range range{-0.5, 3.0};
    for (const SchemeKind kind : {SchemeKind::SymmetricRestricted, SchemeKind::SymmetricFull,
                                  SchemeKind::Affine, SchemeKind::AffineReal}) {
        const Scheme scheme{.kind = kind};
        const ClipChoice clip =
            scheme.isAffine() ? ClipChoice{.range = range} : ClipChoice{.threshold = 2.5};
        const Quantizer quantizer = makeQuantizer(scheme, clip).quantizer;
        const std::optional<double> expected =
            metricIn(metricValues(errors.under(quantizer).tally), "sqnr_db");
        REQUIRE(expected);
        CHECK(*ratio.sqnrDb(quantizer) == Approx(*expected).epsilon(1e-9));  // order of summing
    }
    CHECK_FALSE(SketchedRatio(MagnitudeSketch()).sqnrDb(Quantizer()));
}

}  // namespace sketched_ratio_test
