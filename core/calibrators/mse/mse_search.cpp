// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/calibrators/mse/mse_search.h"

#include "core/calibrators/mse/swept_error.h"

#include <algorithm>
#include <limits>

namespace calibscope {

namespace {

constexpr int steps = 128;
constexpr int quarterSteps = 4;  // on each side in the second stage
/// Errors that differ by so small a share may change places between both forms.
constexpr double nearTie = 1e-6;
static_assert(nearTie > 4.0 * sweptTolerance);

/// Positions of an end in steps, widest first; an end at 0 has one position.
std::vector<double> coarsePositions(double end)
{
    std::vector<double> positions;
    for (int step = steps; step >= (end == 0.0 ? steps : 0); --step)
        positions.push_back(step);
    return positions;
}

std::vector<double> finePositions(double end, double best)
{
    if (end == 0.0)
        return {best};
    std::vector<double> positions;
    for (int quarter = quarterSteps; quarter >= -quarterSteps; --quarter) {
        const double position = best + quarter / 4.0;
        if (position >= 0.0 && position <= steps)
            positions.push_back(position);
    }
    return positions;
}

struct Ends
{
    double low = steps;
    double high = steps;
};

Range rangeAt(const Range& full, const Ends& ends)
{
    return {full.low * (ends.low / steps), full.high * (ends.high / steps)};
}

Ends bestAmong(const HistogramMass& mass, const Scheme& scheme, const Range& full,
               const std::vector<double>& lows, const std::vector<double>& highs)
{
    const SweptError swept(mass);
    Ends best;
    double least = std::numeric_limits<double>::infinity();
    for (const double low : lows)
        for (const double high : highs) {
            const Range range = rangeAt(full, {.low = low, .high = high});
            if (!(range.width() > 0.0))
                continue;
            const Quantizer quantizer = makeQuantizer(scheme, {.range = range}).quantizer;
            constexpr double rounding = 1.0 - 1e-9;  // of the bound's sums
            if (rounding * leastError(mass, quantizer) > least ||
                swept.at(quantizer).total() > least * (1.0 + nearTie))
                continue;
            const double error = quantizationError(mass, quantizer).total();
            if (error < least) {
                least = error;
                best = {.low = low, .high = high};
            }
        }
    return best;
}

}  // namespace

std::vector<SplitError> thresholdErrors(const HistogramMass& mass, const Scheme& scheme,
                                        std::span<const double> thresholds)
{
    const SweptError swept(mass);
    std::vector<SplitError> errors;
    errors.reserve(thresholds.size());
    double least = std::numeric_limits<double>::infinity();
    for (const double threshold : thresholds) {
        errors.push_back(swept.at(makeQuantizer(scheme, {.threshold = threshold}).quantizer));
        least = std::min(least, errors.back().total());
    }
    for (std::size_t index = 0; index < errors.size(); ++index)
        if (errors[index].total() <= least * (1.0 + nearTie))
            errors[index] = quantizationError(
                mass, makeQuantizer(scheme, {.threshold = thresholds[index]}).quantizer);
    return errors;
}

SplitError rangeError(const HistogramMass& mass, const Scheme& scheme, const Range& range)
{
    return quantizationError(mass, makeQuantizer(scheme, {.range = range}).quantizer);
}

Range bestRange(const HistogramMass& mass, const Scheme& scheme, const Range& full)
{
    const Ends coarse =
        bestAmong(mass, scheme, full, coarsePositions(full.low), coarsePositions(full.high));
    const Ends fine = bestAmong(mass, scheme, full, finePositions(full.low, coarse.low),
                                finePositions(full.high, coarse.high));
    const Range coarseRange = rangeAt(full, coarse);
    const Range fineRange = rangeAt(full, fine);
    const bool isBetter =
        rangeError(mass, scheme, fineRange).total() < rangeError(mass, scheme, coarseRange).total();
    return isBetter ? fineRange : coarseRange;
}

std::vector<double> endsUpTo(double end, double best)
{
    std::vector<double> ends;
    if (end != 0.0)
        for (int step = 1; step <= steps; ++step)
            ends.push_back(end * (static_cast<double>(step) / steps));
    if (best != 0.0)
        ends.push_back(best);
    std::ranges::sort(ends);
    ends.erase(std::unique(ends.begin(), ends.end()), ends.end());
    return ends;
}

}  // namespace calibscope
