#include "core/metrics/estimate.h"

namespace calibscope {

ErrorTally estimateTally(const MagnitudeSketch& sketch, const Quantizer& quantizer, double absMax)
{
    ErrorTally tally(quantizer, absMax);
    tally.add(0.0, sketch.zeros);
    for (const SketchBin& bin : sketch.negative)
        tally.add(-bin.mean(), bin.count);
    for (const SketchBin& bin : sketch.positive)
        tally.add(bin.mean(), bin.count);
    return tally;
}

}  // namespace calibscope
