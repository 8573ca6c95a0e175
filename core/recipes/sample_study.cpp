// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recipes/sample_study.h"

#include "core/base/number_text.h"

#include <cmath>

namespace calibscope {

namespace {

/// A share as per cent, with two digits: "12".
std::string percentText(double share)
{
    if (!std::isfinite(share))
        return "infinitely many";
    const double percent = 100.0 * share;
    const double digits = percent > 0.0 ? std::floor(std::log10(percent)) - 1.0 : 0.0;
    const double unit = std::pow(10.0, digits);
    return numberText(digits < 0.0
                          ? std::round(percent * std::pow(10.0, -digits)) / std::pow(10.0, -digits)
                          : std::round(percent / unit) * unit);
}

bool isWithin(double value, double share, double final)
{
    return std::abs(value - final) <= share * std::abs(final);
}

std::optional<std::uint64_t> convergedFrom(const std::vector<CurvePoint>& curve, double share)
{
    std::optional<std::uint64_t> from;
    for (auto point = curve.rbegin(); point != curve.rend(); ++point) {
        if (!isWithin(point->threshold, share, curve.back().threshold))
            break;
        from = point->units;
    }
    return from;
}

bool reachesBeyond(const SampleBand& band, double share, double threshold)
{
    return !isWithin(band.low, share, threshold) ||
           (band.high && !isWithin(*band.high, share, threshold));
}

}  // namespace

std::string_view sampleUnitText(SampleUnit unit)
{
    switch (unit) {
    case SampleUnit::Batch: return "batch";
    case SampleUnit::Sample: return "sample";
    }
    return "batch";
}

std::string unitCountText(std::uint64_t units, SampleUnit unit)
{
    return unit == SampleUnit::Batch ? countText(units, "batch", "batches")
                                     : countText(units, "sample", "samples");
}

std::string_view settlingText(Convergence convergence)
{
    switch (convergence) {
    case Convergence::Converged: return "yes";
    case Convergence::NotConverged: return "no";
    case Convergence::Unknown: return "unknown";
    }
    return "unknown";
}

std::optional<SampleBand> SampleStudy::scaleBand() const
{
    if (!thresholdBand || !(threshold > 0.0))
        return std::nullopt;
    const double factor = scale / threshold;
    SampleBand band{.low = thresholdBand->low * factor, .high = {}};
    if (thresholdBand->high)
        band.high = *thresholdBand->high * factor;
    return band;
}

Convergence SampleStudy::convergence() const
{
    if (!problem.empty() || !thresholdBand)
        return Convergence::Unknown;
    const bool hasMovedLate = convergedWithin5 && 2 * *convergedWithin5 > units;
    return hasMovedLate || reachesBeyond(*thresholdBand, nearShare, threshold)
               ? Convergence::NotConverged
               : Convergence::Converged;
}

bool SampleStudy::hasAlikeNeighbours() const
{
    return likeness && likeness->independentUnits < static_cast<double>(units);
}

std::vector<std::string> SampleStudy::flags() const
{
    std::vector<std::string> flags;
    if (convergence() == Convergence::NotConverged)
        flags.push_back("not converged after " + unitCountText(units, unit));
    if (hasAlikeNeighbours())
        flags.push_back("neighbouring " +
                        std::string(unit == SampleUnit::Batch ? "batches" : "samples") +
                        " are alike (correlation " +
                        numberText(std::round(100.0 * likeness->correlation) / 100.0) +
                        "): " + std::to_string(units) + " count as " +
                        numberText(std::round(likeness->independentUnits)) + " independent ones");
    if (order && order->matters())
        flags.push_back("depends on the order of the batches: thresholds differ by " +
                        percentText(order->share) + " %");
    return flags;
}

void findConverged(SampleStudy& study)
{
    study.convergedWithin1 = convergedFrom(study.curve, closeShare);
    study.convergedWithin5 = convergedFrom(study.curve, nearShare);
}

}  // namespace calibscope
