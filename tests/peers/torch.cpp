#include "tests/peers/peer_table.h"

#include <algorithm>

namespace calibscope::test {

namespace {

std::vector<PeerRow> minMaxRows()
{
    return {{.part = "results",
             .method = "MinMaxObserver",
             .settings = {{"qscheme", "per_tensor_affine"}}},
            {.part = "results",
             .method = "MinMaxObserver",
             .settings = {{"qscheme", "per_tensor_symmetric"}}},
            {.part = "weights",
             .method = "PerChannelMinMaxObserver",
             .settings = {{"qscheme", "torch.per_channel_affine"}}},
            {.part = "weights",
             .method = "PerChannelMinMaxObserver",
             .settings = {{"qscheme", "torch.per_channel_symmetric"}}},
            {.part = "non_finite", .method = "MinMaxObserver"}};
}

/// The kept range with 0 in it, float32 scale, and the zero point counted from the lowest integer.
std::string isObserved(const Answer& answer, const nlohmann::json& result)
{
    const Quantizer& quantizer = answer.whole.quantizer;
    const double low = std::min(result.at("clip_min").get<double>(), 0.0);
    const double high = std::max(result.at("clip_max").get<double>(), 0.0);
    const bool isAffine = answer.choice.scheme.isAffine();
    const double zeroPoint = quantizer.zeroPoint - (isAffine ? quantizer.lowLevel : 0);
    for (const std::string& difference :
         {sameFloat32("scale", quantizer.scale, result.at("scale")),
          sameNumber("zero_point", zeroPoint, result.at("zero_point")),
          isAffine ? sameFloat32("clip_min", answer.whole.clip.range->low, low) : std::string(),
          isAffine ? sameFloat32("clip_max", answer.whole.clip.range->high, high)
                   : sameFloat32("clip", thresholdOf(answer.whole), std::max(-low, high))})
        if (!difference.empty())
            return difference;
    return {};
}

/// Of data that are not finite only scale and zero point were recorded.
std::string isScaleOfNonFinite(const Answer& answer, const nlohmann::json& result)
{
    if (!result.contains("scale"))
        return "theirs is " + result.dump();
    const Quantizer& quantizer = answer.whole.quantizer;
    const bool hasRange = answer.whole.clip.range.has_value();
    const double zeroPoint = quantizer.zeroPoint - (hasRange ? quantizer.lowLevel : 0);
    const std::string difference = sameFloat32("scale", quantizer.scale, result.at("scale"));
    return difference.empty() ? sameNumber("zp", zeroPoint, result.at("zp")) : difference;
}

PeerRow observerRow(const char* scheme, const char* preset)
{
    return {.part = "results",
            .method = "HistogramObserver",
            .settings = {{"qscheme", scheme}},
            .preset = preset,
            .check = isObserved};
}

std::vector<PeerRow> histogramRows()
{
    constexpr const char* raises = "the tool raises an error; NaN and infinities are left out here";
    return {observerRow("torch.per_tensor_affine", "torch-histogram-affine"),
            observerRow("torch.per_tensor_symmetric", "torch-histogram-symmetric"),
            {.part = "non_finite",
             .method = "HistogramObserver",
             .preset = "torch-histogram-affine",
             .check = isScaleOfNonFinite,
             .notReproducible = {{"one_nan", raises}, {"one_inf", raises}}}};
}

}  // namespace

Peer torchPeer()
{
    Peer peer{.id = "torch-1.13", .rows = minMaxRows()};
    for (const PeerRow& row : histogramRows())
        peer.rows.push_back(row);
    return peer;
}

}  // namespace calibscope::test
