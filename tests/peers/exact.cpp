// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/peers/peer_table.h"

namespace calibscope::test {

namespace {

/// A threshold of 0 has the scale 1 with us, 0 in the entry.
std::string isMinMax(const Answer& answer, const nlohmann::json& result)
{
    const Extents& extents = answer.whole.extents;
    for (const std::string& difference :
         {sameNumber("min", extents.min, result.at("min")),
          sameNumber("max", extents.max, result.at("max")),
          sameNumber("absmax", thresholdOf(answer.whole), result.at("absmax"))})
        if (!difference.empty())
            return difference;
    const bool isZero = result.at("absmax") == 0.0;
    return sameNumber("scale_127", isZero ? 0.0 : answer.whole.quantizer.scale,
                      result.at("scale_127"));
}

}  // namespace

Peer exactPeer()
{
    return {
        .id = "exact",
        .rows = {
            {.part = "results", .method = "min_max", .calibrator = "min-max", .check = isMinMax}}};
}

}  // namespace calibscope::test
