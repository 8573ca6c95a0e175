// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/peers/peer_table.h"

namespace calibscope::test {

namespace {

/// ncnn keeps the inverse of the scale as float32. That of all zeros is infinite there, and 1 here.
std::string isScale(const Answer& answer, const nlohmann::json& result)
{
    const std::string difference =
        sameFloat32("threshold", thresholdOf(answer.whole), result.at("threshold"));
    const nlohmann::json& scale = result.at("scale");
    if (!difference.empty() || scale == "inf")
        return difference;
    const float inverse = 127.0F / static_cast<float>(thresholdOf(answer.whole));
    const std::string ofInverse = sameFloat32("scale", static_cast<double>(inverse), scale);
    const double ours = 1.0 / answer.whole.quantizer.scale;
    return ofInverse.empty() ? near("1 / our scale", ours, scale, 1e-6) : ofInverse;
}

/// The trial is the same one with the same divergence. All zeros are not searched here.
std::string isTrial(const Answer& answer, const nlohmann::json& result)
{
    constexpr double firstBin = 128;
    const Curve& curve = answer.curve;
    if (curve.value.empty() != (result.at("absmax") == 0.0))
        return "searched or not, theirs is " + result.dump();
    if (!curve.value.empty())
        for (const std::string& difference :
             {sameNumber("bin", static_cast<double>(curve.chosen) + firstBin, result.at("bin")),
              sameFloat32("min_kl", curve.value[curve.chosen], result.at("min_kl"))})
            if (!difference.empty())
                return difference;
    return isScale(answer, result);
}

}  // namespace

Peer ncnnPeer()
{
    return {
        .id = "ncnn",
        .rows = {{.part = "results", .method = "kl", .preset = "ncnn-kl", .check = isTrial},
                 {.part = "results", .method = "aciq", .preset = "ncnn-aciq", .check = isScale}}};
}

}  // namespace calibscope::test
