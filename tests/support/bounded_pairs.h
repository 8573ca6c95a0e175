// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/metrics/estimate.h"
#include "core/recipes/scale_rows.h"
#include "core/stats/extents.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace calibscope::test {

/// Estimates under quantizers against a pass over the values.
struct BoundedPairs
{
    std::size_t pairs = 0;
    std::vector<std::string> outside;             ///< exact values that a bound does not hold
    std::map<int, std::vector<double>> barsDb;    ///< of the SQNR, by bits
    std::map<int, std::vector<double>> errorsDb;  ///< what the estimate really was off by

    /// All quantizers on a tensor's values.
    void add(const std::string& name, std::span<const float> values,
             const std::vector<std::pair<int, Quantizer>>& quantizers)
    {
        SketchCounter counter;
        counter.add(values);
        Extents extents;
        extents.add(values);
        const SketchErrors errors(counter.sketch(), {extents.min, extents.max});
        for (const auto& [bits, quantizer] : quantizers) {
            ErrorTally exact(quantizer, extents.absMax());
            exact.add(values);
            check(name, bits, metricValues(exact), errors.under(quantizer));
        }
    }

private:
    void check(const std::string& name, int bits, const MetricValues& exact,
               const ErrorEstimate& estimate)
    {
        ++pairs;
        const MetricBounds bounds = metricBounds(estimate.bounds);
        for (const auto& [id, value] : exact) {
            const std::optional<Range> bound = bounds.of(id);
            if (bound && !bound->contains(value))
                outside.push_back(name + ", " + std::to_string(bits) + " bits: " + id + " " +
                                  std::to_string(value) + " is not in " +
                                  std::to_string(bound->low) + ".." + std::to_string(bound->high));
        }
        if (exact.empty())
            return;
        barsDb[bits].push_back(sqnrBarDb(estimate));
        const double off =
            *metricIn(exact, "sqnr_db") - *metricIn(metricValues(estimate.tally), "sqnr_db");
        errorsDb[bits].push_back(std::isnan(off) ? 0.0 : std::abs(off));
    }
};

/// Multiples of a step, as what was quantized before: many equal values in few bins of the sketch.
inline std::vector<float> latticeValues(std::size_t count, double step, double spread,
                                        unsigned seed)
{
    std::mt19937 engine(seed);
    std::normal_distribution<double> normal(0.0, spread);
    std::vector<float> values(count);
    for (float& value : values)
        value = static_cast<float>(step * std::nearbyint(normal(engine)));
    return values;
}

/// Min-max and half of it on such values, symmetric and affine, at each number of bits.
inline std::vector<std::pair<int, Quantizer>> rangeQuantizers(std::span<const float> values,
                                                              std::span<const int> bits)
{
    Extents extents;
    extents.add(values);
    std::vector<std::pair<int, Quantizer>> quantizers;
    for (const int count : bits)
        for (const double share : {1.0, 0.73, 0.3})
            for (const SchemeKind kind :
                 {SchemeKind::SymmetricRestricted, SchemeKind::Affine, SchemeKind::AffineReal}) {
                const Scheme scheme{.kind = kind, .bits = count};
                const ClipChoice clip =
                    scheme.isAffine()
                        ? ClipChoice{.range = Range{share * std::min(extents.min, 0.0),
                                                    share * std::max(extents.max, 0.0)}}
                        : ClipChoice{.threshold = share * extents.absMax()};
                quantizers.emplace_back(count, makeQuantizer(scheme, clip).quantizer);
            }
    return quantizers;
}

}  // namespace calibscope::test
