// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/recipes/outcome.h"
#include "tests/support/catch.h"

#include <cmath>
#include <cstddef>

namespace calibscope::test {

/// All of it, bit for bit; metrics that are not a number are the same.
inline void checkSame(const ScaleRow& a, const ScaleRow& b)
{
    CHECK(a.clip.threshold == b.clip.threshold);
    CHECK(a.clip.range == b.clip.range);
    CHECK(a.quantizer.scale == b.quantizer.scale);
    CHECK(a.quantizer.zeroPoint == b.quantizer.zeroPoint);
    CHECK(a.quantizer.clip == b.quantizer.clip);
    CHECK(a.quantizer.lowLevel == b.quantizer.lowLevel);
    CHECK(a.quantizer.highLevel == b.quantizer.highLevel);
    CHECK(a.quantizer.rounding == b.quantizer.rounding);
    CHECK(a.quantizer.roundsWithZeroPoint == b.quantizer.roundsWithZeroPoint);
    CHECK(a.extents == b.extents);
    REQUIRE(a.metrics.size() == b.metrics.size());
    for (std::size_t metric = 0; metric < a.metrics.size(); ++metric) {
        CHECK(a.metrics[metric].first == b.metrics[metric].first);
        const double value = a.metrics[metric].second;
        const double other = b.metrics[metric].second;
        CHECK((value == other || (std::isnan(value) && std::isnan(other))));
    }
    CHECK(a.bounds.least == b.bounds.least);
    CHECK(a.bounds.most == b.bounds.most);
    CHECK(a.notes == b.notes);
    CHECK(a.isExact == b.isExact);
    CHECK(a.hasExactMetrics == b.hasExactMetrics);
}

inline void checkSame(const Choice& a, const Choice& b)
{
    CHECK(a.recipe == b.recipe);
    CHECK(a.preset == b.preset);
    CHECK(a.calibrator == b.calibrator);
    CHECK(a.settings == b.settings);
    CHECK(a.scheme == b.scheme);
    CHECK(a.granularity == b.granularity);
    CHECK(a.note == b.note);
    CHECK(a.rangeFrom == b.rangeFrom);
}

}  // namespace calibscope::test
