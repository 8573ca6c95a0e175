// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/peers/peer_table.h"

#include "core/base/number_text.h"

#include <algorithm>
#include <string>

namespace calibscope::test {

namespace {

/// The range with 0 in it, which the tool puts there when it computes a scale. (Where data leave
/// out 0, its calibrator's range can even be inverted: 0.75 to 0.7493.)
std::string isRangeWithZero(const Answer& answer, const nlohmann::json& result)
{
    const Range& clip = answer.whole.quantizer.clip;
    const double low = std::min(result.at("lo").get<double>(), 0.0);
    const double high = std::max(result.at("hi").get<double>(), 0.0);
    const std::string difference = sameNumber("lo", clip.low, low);
    return difference.empty() ? sameNumber("hi", clip.high, high) : difference;
}

/// The window is the same one out of as many with the same divergence. Nothing is searched here
/// where all are zero, or where no window can be compared.
std::string isWindow(const Answer& answer, const nlohmann::json& result)
{
    const Curve& curve = answer.curve;
    const bool isSearched = result.at("kl") != "inf" && answer.whole.extents.absMax() > 0.0;
    if (curve.value.empty() == isSearched)
        return "searched or not, theirs is " + result.dump();
    if (isSearched)
        for (const std::string& difference :
             {sameNumber("idx", static_cast<double>(curve.chosen), result.at("idx")),
              sameNumber("candidates", static_cast<double>(curve.value.size()),
                         result.at("candidates")),
              sameNumber("kl", curve.value[curve.chosen], result.at("kl"))})
            if (!difference.empty())
                return difference;
    return isRangeWithZero(answer, result);
}

PeerRow entropyRow(int bins, int levels)
{
    return {.part = "results",
            .method = "entropy",
            .settings = {{"num_bins", bins}, {"num_quantized_bins", levels}},
            .preset = "ort-entropy",
            .further = {{"bins", std::to_string(bins)}, {"levels", std::to_string(levels)}},
            .check = isWindow};
}

PeerRow percentileRow(bool isSymmetric, double percentile)
{
    return {.part = "results",
            .method = "percentile",
            .settings = {{"symmetric", isSymmetric}, {"percentile", percentile}},
            .preset = isSymmetric ? "ort-percentile-symmetric" : "ort-percentile-asymmetric",
            .further = {{"alpha", numberText(percentile)}},
            .check = isRangeWithZero};
}

}  // namespace

Peer onnxruntimePeer()
{
    Peer peer{.id = "onnxruntime",
              .rows = {entropyRow(128, 128), entropyRow(2048, 128), entropyRow(8001, 255)}};
    for (const bool isSymmetric : {true, false})
        for (const double percentile : {99.9, 99.99, 99.999})
            peer.rows.push_back(percentileRow(isSymmetric, percentile));
    return peer;
}

}  // namespace calibscope::test
