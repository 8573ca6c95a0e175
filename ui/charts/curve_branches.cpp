#include "ui/charts/curve_branches.h"

#include <algorithm>
#include <cmath>

namespace calibscope {

double placeOf(double threshold, Domain domain)
{
    return domain == Domain::Magnitude ? std::abs(threshold) : threshold;
}

std::vector<CurveBranch> branchesOf(const Curve& curve, Domain domain)
{
    CurveBranch low{.isLow = true};
    CurveBranch high;
    for (std::size_t point = 0; point < curve.threshold.size(); ++point) {
        CurveBranch& branch = curve.threshold[point] < 0.0 ? low : high;
        branch.place.push_back(placeOf(curve.threshold[point], domain));
        branch.point.push_back(point);
    }
    if (domain == Domain::Magnitude) {
        std::ranges::reverse(low.place);
        std::ranges::reverse(low.point);
    }
    std::vector<CurveBranch> branches;
    for (CurveBranch* branch : {&low, &high})
        if (!branch->point.empty())
            branches.push_back(std::move(*branch));
    return branches;
}

std::vector<double> branchValues(const CurveBranch& branch, const std::vector<double>& values)
{
    std::vector<double> own;
    for (const std::size_t point : branch.point)
        own.push_back(values[point]);
    return own;
}

std::size_t nearestPoint(const Curve& curve, Domain domain, double x)
{
    std::size_t nearest = 0;
    double least = std::abs(placeOf(curve.threshold.at(0), domain) - x);
    for (std::size_t point = 1; point < curve.threshold.size(); ++point) {
        const double distance = std::abs(placeOf(curve.threshold[point], domain) - x);
        if (distance < least) {
            least = distance;
            nearest = point;
        }
    }
    return nearest;
}

}  // namespace calibscope
