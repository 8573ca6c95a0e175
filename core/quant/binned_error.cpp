// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/quant/binned_error.h"

#include "core/stats/spread.h"

#include <cassert>

namespace calibscope {

namespace {

/// Puts squared errors into bins.
class Binner
{
public:
    Binner(const Quantizer& quantizer, const Histogram& bins)
        : m_quantizer(quantizer), m_low(bins.low), m_width(bins.width())
    {
        m_error.domain = bins.spec.domain;
        m_error.range = bins.range();
        m_error.rounding.assign(bins.counts.size(), 0.0);
        m_error.clipping.assign(bins.counts.size(), 0.0);
    }

    /// Values of one sign, whose magnitudes lie in a sketch bin.
    void add(const SketchBin& bin, double sign)
    {
        const double mean = bin.mean();
        // A single value is known exactly.
        const Range magnitudes =
            bin.count == 1 ? Range{mean, mean} : Range{bin.lowEdge(), bin.highEdge()};
        const bool isMirrored = sign < 0.0 && m_error.domain == Domain::Signed;
        add(sign * mean, bin.count,
            isMirrored ? Range{-magnitudes.high, -magnitudes.low} : magnitudes);
    }
    void add(double value, std::uint64_t count, const Range& place)
    {
        const double distance = value - m_quantizer.fakeQuantize(value);
        const double error = distance * distance * static_cast<double>(count);
        const bool isClipped = m_quantizer.clips(value);
        (isClipped ? m_error.allClipping : m_error.allRounding) += error;
        m_error.count += count;
        spread(isClipped ? m_error.clipping : m_error.rounding, position(place.low),
               position(place.high), error);
    }
    [[nodiscard]] BinnedError take() { return std::move(m_error); }

private:
    [[nodiscard]] double position(double x) const
    {
        return m_width > 0.0 ? (x - m_low) / m_width : 0.0;
    }

    Quantizer m_quantizer;
    double m_low;
    double m_width;
    BinnedError m_error;
};

}  // namespace

BinnedError binnedError(const MagnitudeSketch& sketch, const Quantizer& quantizer,
                        const Histogram& bins)
{
    assert(bins.edges.empty() && !bins.counts.empty());
    Binner binner(quantizer, bins);
    if (sketch.zeros > 0)
        binner.add(0.0, sketch.zeros, {0.0, 0.0});
    for (const SketchBin& bin : sketch.negative)
        binner.add(bin, -1.0);
    for (const SketchBin& bin : sketch.positive)
        binner.add(bin, 1.0);
    return binner.take();
}

}  // namespace calibscope
