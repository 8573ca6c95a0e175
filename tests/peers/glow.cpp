#include "tests/peers/peer_table.h"

namespace calibscope::test {

namespace {

PeerRow tensorRow(int bins, const char* schema, const char* calibration)
{
    return {.part = "results",
            .method = "chooseQuantizationParams",
            .settings = {{"bins", bins}, {"schema", schema}, {"calibration", calibration}}};
}

PeerRow histogramRow(int levels, bool isSymmetric)
{
    return {.part = "small_histograms",
            .method = "optimizeKL",
            .settings = {{"num_quantized_bins", levels}, {"symmetric", isSymmetric}}};
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
        peer.rows.push_back({.part = "non_finite",
                             .method = "chooseQuantizationParams",
                             .settings = {{"calibration", calibration}}});
    return peer;
}

}  // namespace calibscope::test
