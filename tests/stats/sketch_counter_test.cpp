#include "core/stats/magnitude_sketch.h"

#include "tests/support/catch.h"

#include <cmath>
#include <limits>
#include <random>
#include <vector>

using namespace calibscope;

TEST_CASE("a sketch of kept values and one of dense tables are the same")
{
    std::mt19937 engine(2);
    std::normal_distribution<float> normal(0.0F, 3.0F);
    std::vector<float> values(200000);
    for (float& value : values)
        value = normal(engine);
    values[5] = 0.0F;
    values[6] = -0.0F;
    values[7] = std::nanf("");
    values[8] = std::numeric_limits<float>::infinity();
    values[9] = -1e-42F;

    SketchCounter tables;
    tables.add(values);
    MagnitudeSketch merged;
    for (std::size_t first = 0; first < values.size(); first += 20000) {
        SketchCounter kept;  // few enough to be sorted
        kept.add(std::span(values).subspan(first, 20000));
        merged += kept.sketch();
    }
    CHECK(merged == tables.sketch());
    CHECK(merged.zeros == 2);
    CHECK(merged.count() == values.size() - 2);

    SketchCounter spilled;  // kept at first, then counted
    for (std::size_t first = 0; first < values.size(); first += 20000)
        spilled.add(std::span(values).subspan(first, 20000));
    CHECK(spilled.sketch() == tables.sketch());
}
