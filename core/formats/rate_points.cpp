// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/rate_points.h"

#include <algorithm>
#include <string_view>

namespace calibscope {

const std::vector<std::string>& usualFamilies()
{
    static const std::vector<std::string> families{
        "int4",       "nf4",        "fp4-e2m1", "fp6-e2m3", "fp8-e4m3", "int8", "mxfp4",
        "mxfp6-e2m3", "mxfp8-e4m3", "nvfp4",    "q4_k",     "q5_k",     "q6_k"};
    return families;
}

std::vector<RatePoint> ratePoints(const std::string& family)
{
    const std::size_t colon = std::min(family.find(':'), family.size());
    const BlockFormat own = parseBlockFormat(family);
    const bool isElement =
        own.id.substr(0, own.id.find(':')) == own.element->id() && !own.isPowerOfTwo();
    if (!isElement)
        return {{own, family}};
    std::vector<RatePoint> points;
    for (const std::string_view granularity :
         {"tensor", "row", "g256", "g128", "g64", "g32", "g16", "g8"})
        points.push_back({parseBlockFormat(family.substr(0, colon) + "-" +
                                           std::string(granularity) + family.substr(colon)),
                          family, true});
    return points;
}

bool isOwnPoint(const RatePoint& point, const MatrixShape& matrix)
{
    const Granularity& granularity = point.format.granularity;
    if (point.isElement && granularity == Granularity::Row)
        return matrix.rows() > 1;
    return point.format.fits(matrix) &&
           !(point.isElement && granularity.isGroup() && granularity.columns >= matrix.length);
}

}  // namespace calibscope
