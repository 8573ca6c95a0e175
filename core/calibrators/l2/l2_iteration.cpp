// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/calibrators/l2/l2_iteration.h"

#include <cmath>

namespace calibscope {

L2Iteration iterateL2(ScaleSumSource& sums, double start, const L2Limits& limits)
{
    L2Iteration found{.trace = {.objective = "squared error, halved"}};
    Trace& trace = found.trace;
    double scale = start;
    while (true) {
        const ScaleSums here = sums.at(scale);
        trace.scale.push_back(scale);
        trace.error.push_back(here.error);
        if (trace.hasConverged)
            return found;
        if (!(here.zz > 0.0) || !(here.xz > 0.0)) {
            found.end = L2End::NoLevels;
            return found;
        }
        if (trace.iterations == limits.cap || sums.passes() >= limits.passes) {
            found.end = trace.iterations == limits.cap ? L2End::Cap : L2End::Passes;
            return found;
        }
        const double next = here.xz / here.zz;
        ++trace.iterations;
        trace.hasConverged = std::abs(next - scale) <= limits.tolerance * scale;
        if (next == scale)
            return found;
        scale = next;
    }
}

}  // namespace calibscope
