// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/peers/peer_table.h"

#include <string>

namespace calibscope::test {

namespace {

/// The window is the same one with the same divergence, and the threshold its upper edge.
std::string isWindow(const Answer& answer, const nlohmann::json& result)
{
    const Curve& curve = answer.curve;
    if (curve.value.empty())
        return "nothing was searched, theirs is " + result.dump();
    for (const std::string& difference :
         {sameNumber("idx", static_cast<double>(curve.chosen), result.at("idx")),
          sameFloat32("divergence", curve.value[curve.chosen], result.at("divergence")),
          sameFloat32("threshold", thresholdOf(answer.whole), result.at("threshold"))})
        if (!difference.empty())
            return difference;
    return {};
}

}  // namespace

Peer mxnetPeer()
{
    Peer peer{.id = "mxnet", .rows = {}};
    for (const int levels : {255, 511})
        peer.rows.push_back({.part = "results",
                             .method = "entropy",
                             .settings = {{"num_quantized_bins", levels}},
                             .preset = "mxnet-entropy-" + std::to_string(levels),
                             .check = isWindow});
    return peer;
}

}  // namespace calibscope::test
