// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/peers/peer_table.h"

namespace calibscope::test {

namespace {

constexpr const char* raises =
    "the tool raises an error; NaN and infinities are left out here, and "
    "a tensor without finite values has no range";

std::string presetFor(const std::string& method, bool isTorch)
{
    return "pytorch-quantization-" + method + (isTorch ? "" : "-numpy");
}

PeerRow percentileRow(const char* part, double alpha, const char* text, bool isTorch)
{
    return {.part = part,
            .method = "percentile",
            .settings = {{"percentile", alpha}},
            .preset = presetFor("percentile", isTorch),
            .further = {{"alpha", text}},
            .check = thresholdIsFloat32("amax")};
}

std::vector<PeerRow> percentileRows(const char* part, bool isTorch)
{
    if (part == std::string("results"))
        return {percentileRow(part, 99.9, "99.9", isTorch),
                percentileRow(part, 99.99, "99.99", isTorch),
                percentileRow(part, 99.999, "99.999", isTorch),
                percentileRow(part, 100.0, "100", isTorch)};
    return {percentileRow(part, 50.0, "50", isTorch), percentileRow(part, 90.0, "90", isTorch),
            percentileRow(part, 99.0, "99", isTorch), percentileRow(part, 100.0, "100", isTorch)};
}

std::vector<PeerRow> tensorRows(bool isTorch)
{
    std::vector<PeerRow> rows;
    for (const char* method : {"entropy", "mse"})
        rows.push_back({.part = "results",
                        .method = method,
                        .settings = {{"torch_hist", isTorch}},
                        .preset = presetFor(method, isTorch),
                        .check = thresholdIsFloat32("amax")});
    if (!isTorch)
        rows.back().notReproducible = {
            {"all_zero", "the tool raises an error: its candidates are below 0"}};
    for (PeerRow& row : percentileRows("results", isTorch)) {
        row.settings["torch_hist"] = isTorch;
        rows.push_back(std::move(row));
    }
    return rows;
}

/// The tool raises an error for a channel of zeros where MSE is asked for; the entry then holds the
/// error in the place of a number.
std::string isEachThreshold(const Answer& answer, const nlohmann::json& result)
{
    return eachChannel(answer, result.at("amax"),
                       [](const ScaleRow& row, const nlohmann::json& theirs) {
                           return sameFloat32("amax", thresholdOf(row),
                                              theirs.is_string() ? nlohmann::json(0.0) : theirs);
                       });
}

std::vector<PeerRow> weightRows()
{
    return {{.part = "weights",
             .method = "calibrate_weights/percentile",
             .preset = presetFor("percentile", false),
             .further = {{"growth", "fixed-numpy"}},
             .check = isEachThreshold},
            {.part = "weights",
             .method = "calibrate_weights/mse",
             .preset = presetFor("mse", false),
             .further = {{"growth", "fixed-numpy"}},
             .check = isEachThreshold}};
}

/// The chosen edge, and the divergence of every trial: "inf" stands for NaN too.
std::string isEntropy(const Answer& answer, const nlohmann::json& result)
{
    const nlohmann::json& theirs = result.at("divergences");
    if (theirs.size() != answer.curve.value.size())
        return "another number of candidates";
    for (std::size_t index = 0; index < theirs.size(); ++index) {
        const double ours = answer.curve.value[index];
        if (!theirs[index].is_number())
            continue;
        const double difference = ours - theirs[index].get<double>();
        if (!(difference < 1e-12 && difference > -1e-12))
            return "another divergence of candidate " + std::to_string(index);
    }
    return sameNumber("amax", thresholdOf(answer.whole), result.at("amax"));
}

std::vector<PeerRow> histogramRows()
{
    std::vector<PeerRow> rows;
    const struct
    {
        int bits;
        bool isUnsigned;
        const char* levels;
        const char* lastOfFirst;  // bin at the end of as many bins as levels
    } forms[] = {{3, false, "4", "3"}, {4, false, "8", "7"}, {3, true, "8", "7"}};
    for (const auto& form : forms) {
        const nlohmann::json settings = {{"num_bits", form.bits}, {"unsigned", form.isUnsigned}};
        rows.push_back({.part = "small_histograms",
                        .method = "entropy",
                        .settings = settings,
                        .preset = presetFor("entropy", true),
                        .further = {{"levels", form.levels}, {"first-candidate", form.lastOfFirst}},
                        .check = isEntropy});
        rows.push_back({.part = "small_histograms",
                        .method = "mse",
                        .settings = settings,
                        .preset = presetFor("mse", true),
                        .further = {{"bits", std::to_string(form.bits)},
                                    {"divisor", form.isUnsigned ? "2^b-1" : "qmax"},
                                    {"first-candidate", "1"}},
                        .check = thresholdIsFloat32("amax")});
    }
    for (PeerRow& row : percentileRows("small_histograms", true))
        rows.push_back(std::move(row));
    return rows;
}

std::vector<PeerRow> nonFiniteRows()
{
    std::vector<PeerRow> rows;
    for (const char* method : {"percentile", "entropy"})
        for (const bool isTorch : {true, false})
            rows.push_back(
                {.part = "non_finite",
                 .method =
                     std::string(method) + (isTorch ? " torch_hist=True" : " torch_hist=False"),
                 .preset = presetFor(method, isTorch),
                 .check = thresholdIsFloat32("value"),
                 .notReproducible = {{"one_nan", raises}, {"one_inf", raises}, {"empty", raises}}});
    return rows;
}

}  // namespace

Peer pytorchQuantizationPeer()
{
    Peer peer{.id = "pytorch-quantization", .rows = {}};
    for (const std::vector<PeerRow>& rows :
         {tensorRows(true), tensorRows(false), weightRows(), histogramRows(), nonFiniteRows()})
        peer.rows.insert(peer.rows.end(), rows.begin(), rows.end());
    return peer;
}

}  // namespace calibscope::test
