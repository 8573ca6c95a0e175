// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/peers/peer_table.h"

namespace calibscope::test {

namespace {

std::string isScaleAndOffset(const Answer& answer, const nlohmann::json& result)
{
    if (!result.contains("scale"))
        return "theirs is " + result.dump();
    const Quantizer& quantizer = answer.whole.quantizer;
    const std::string difference = sameFloat32("scale", quantizer.scale, result.at("scale"));
    return difference.empty() ? sameNumber("offset", quantizer.zeroPoint, result.at("offset"))
                              : difference;
}

/// An affine window may leave 0 outside: then its levels reach elsewhere.
std::string isRange(const Answer& answer, const nlohmann::json& result)
{
    const ScaleRow& row = answer.whole;
    const bool isAffine = answer.choice.scheme.isAffine();
    const Range& clip = isAffine ? *row.clip.range : row.quantizer.clip;
    const std::string difference = sameNumber("lo", clip.low, result.at("lo"));
    return difference.empty() ? sameNumber("hi", clip.high, result.at("hi")) : difference;
}

/// "glow-512-symmetric-uint8-kl" for what the tool calls symmetric_with_uint8 and KL.
std::string presetFor(int bins, const std::string& schema, const std::string& calibration)
{
    std::string ours = schema;
    if (schema == "symmetric_with_uint8")
        ours = "symmetric-uint8";
    if (schema == "symmetric_with_power2_scale")
        ours = "power2";
    return "glow-" + std::to_string(bins) + "-" + ours + (calibration == "KL" ? "-kl" : "-none");
}

PeerRow tensorRow(int bins, const char* schema, const char* calibration)
{
    return {.part = "results",
            .method = "chooseQuantizationParams",
            .settings = {{"bins", bins}, {"schema", schema}, {"calibration", calibration}},
            .preset = presetFor(bins, schema, calibration),
            .check = isScaleAndOffset};
}

/// The search alone: the given histogram has its range already, which the restricted scheme and
/// the affine one keep.
PeerRow histogramRow(int levels, bool isSymmetric)
{
    return {.part = "small_histograms",
            .method = "optimizeKL",
            .settings = {{"num_quantized_bins", levels}, {"symmetric", isSymmetric}},
            .preset = presetFor(512, isSymmetric ? "symmetric" : "asymmetric", "KL"),
            .further = {{"levels", std::to_string(levels)}},
            .scheme = isSymmetric ? SchemeKind::SymmetricRestricted : SchemeKind::Affine,
            .check = isRange};
}

PeerRow nonFiniteRow(const char* calibration)
{
    return {.part = "non_finite",
            .method = "chooseQuantizationParams",
            .settings = {{"calibration", calibration}},
            .preset = presetFor(512, "asymmetric", calibration),
            .check = isScaleAndOffset,
            .notReproducible = {{"one_inf",
                                 "the tool's profile ends at infinity, which gives a scale of "
                                 "1.3e36; here infinities are left out"}}};
}

}  // namespace

Peer glowPeer()
{
    Peer peer{.id = "glow", .rows = {}};
    for (const int bins : {512, 2048})
        for (const char* schema :
             {"asymmetric", "symmetric", "symmetric_with_uint8", "symmetric_with_power2_scale"})
            for (const char* calibration : {"none", "KL"})
                peer.rows.push_back(tensorRow(bins, schema, calibration));
    for (const int levels : {4, 7, 8})
        for (const bool isSymmetric : {false, true})
            peer.rows.push_back(histogramRow(levels, isSymmetric));
    for (const char* calibration : {"none", "KL"})
        peer.rows.push_back(nonFiniteRow(calibration));
    return peer;
}

}  // namespace calibscope::test
