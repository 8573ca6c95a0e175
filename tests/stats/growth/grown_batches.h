// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/stats/growth_rule.h"

#include <vector>

namespace calibscope::test {

using Batches = std::vector<std::vector<float>>;

/// A histogram grown and filled batch by batch.
inline Histogram grown(const HistogramSpec& spec, const Batches& batches)
{
    Extents whole;
    for (const std::vector<float>& batch : batches)
        whole.add(batch);
    Histogram histogram = emptyHistogram(spec);
    ValuesBefore before;
    for (const std::vector<float>& batch : batches) {
        Extents extents;
        extents.add(batch);
        growthRule(spec.growth).grow(histogram, extents, before, whole);
        before.add(extents);
        histogram.add(batch);
    }
    return histogram;
}

}  // namespace calibscope::test
