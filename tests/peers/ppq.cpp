// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/peers/peer_table.h"

namespace calibscope::test {

namespace {

/// The tool counts zero points from the lowest integer.
std::string isScaleAndOffsetOfPpq(const Answer& answer, const nlohmann::json& result)
{
    const Quantizer& quantizer = answer.whole.quantizer;
    const std::string difference = sameFloat32("scale", quantizer.scale, result.at("scale"));
    return difference.empty() ? sameNumber("offset", quantizer.zeroPoint, result.at("offset"))
                              : difference;
}

PeerRow ppqRow(const char* method, bool isSymmetric, const char* preset)
{
    return {.part = "results",
            .method = method,
            .settings = {{"symmetric", isSymmetric}},
            .preset = preset,
            .check = isScaleAndOffsetOfPpq};
}

}  // namespace

Peer ppqPeer()
{
    return {.id = "ppq",
            .rows = {ppqRow("kl", true, "ppq-kl"), ppqRow("mse", true, "ppq-mse-symmetric"),
                     ppqRow("mse", false, "ppq-mse-asymmetric"),
                     ppqRow("percentile", true, "ppq-percentile-symmetric"),
                     ppqRow("percentile", false, "ppq-percentile-asymmetric")}};
}

}  // namespace calibscope::test
