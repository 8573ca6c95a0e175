#pragma once

#include "core/calibrators/calibrator.h"
#include "core/stats/histogram.h"

#include <cstddef>
#include <vector>

namespace calibscope {

/// One side of an objective's curve. An affine clip range has two ends, each with a curve of its
/// own: a line from one to the other would stand for nothing.
struct CurveBranch
{
    std::vector<double> place;       ///< along x, ascending
    std::vector<std::size_t> point;  ///< of the curve
    bool isLow = false;              ///< of the low end
};

/// Where a threshold stands on the x axis: low ends have their magnitude among magnitudes.
[[nodiscard]] double placeOf(double threshold, Domain domain);

/// The branches that have a point, the low one first.
[[nodiscard]] std::vector<CurveBranch> branchesOf(const Curve& curve, Domain domain);

/// Values of the branch's points, out of those of all points.
[[nodiscard]] std::vector<double> branchValues(const CurveBranch& branch,
                                               const std::vector<double>& values);

/// The point whose place is nearest to x; requires a point.
[[nodiscard]] std::size_t nearestPoint(const Curve& curve, Domain domain, double x);

}  // namespace calibscope
