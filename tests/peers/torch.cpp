// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/peers/peer_table.h"

namespace calibscope::test {

namespace {

/// One number, or one for each channel.
std::string isScaleAndZeroPoint(const Answer& answer, const nlohmann::json& result)
{
    const char* zeroPointName = result.contains("zp") ? "zp" : "zero_point";
    if (!result.contains("scale") || !result.contains(zeroPointName))
        return "theirs is " + result.dump();
    const auto compare = [](const char* name, double Quantizer::*number) {
        return [name, number](const ScaleRow& row, const nlohmann::json& theirs) {
            return sameFloat32(name, row.quantizer.*number, theirs);
        };
    };
    const auto compareAll = [&](const char* name, double Quantizer::*number) {
        const nlohmann::json& theirs = result.at(name);
        return theirs.is_array() ? eachChannel(answer, theirs, compare(name, number))
                                 : compare(name, number)(answer.whole, theirs);
    };
    const std::string difference = compareAll("scale", &Quantizer::scale);
    return difference.empty() ? compareAll(zeroPointName, &Quantizer::zeroPoint) : difference;
}

PeerRow minMaxRow(const char* part, const char* method, const char* scheme, const char* preset)
{
    return {.part = part,
            .method = method,
            .settings = {{"qscheme", scheme}},
            .preset = preset,
            .check = isScaleAndZeroPoint};
}

std::vector<PeerRow> minMaxRows()
{
    return {
        minMaxRow("results", "MinMaxObserver", "per_tensor_affine", "torch-minmax-affine"),
        minMaxRow("results", "MinMaxObserver", "per_tensor_symmetric", "torch-minmax-symmetric"),
        minMaxRow("weights", "PerChannelMinMaxObserver", "torch.per_channel_affine",
                  "torch-minmax-affine"),
        minMaxRow("weights", "PerChannelMinMaxObserver", "torch.per_channel_symmetric",
                  "torch-minmax-symmetric"),
        {.part = "non_finite",
         .method = "MinMaxObserver",
         .preset = "torch-minmax-affine",
         .check = isScaleAndZeroPoint,
         .notReproducible = {
             {"one_nan", "the tool stops with an AssertionError; here NaN is left out"},
             {"one_inf", "the tool gives an infinite scale; here infinities are left out"}}}};
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
            .check = keepsObservedRange};
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
