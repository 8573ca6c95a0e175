#include "tests/peers/peer_table.h"

namespace calibscope::test {

namespace {

constexpr double percentiles[] = {99.9, 99.99, 99.999, 100.0};

std::vector<PeerRow> tensorRows(bool isTorch)
{
    const nlohmann::json form = {{"torch_hist", isTorch}};
    std::vector<PeerRow> rows{{.part = "results", .method = "entropy", .settings = form},
                              {.part = "results", .method = "mse", .settings = form}};
    for (const double alpha : percentiles) {
        nlohmann::json settings = form;
        settings["percentile"] = alpha;
        rows.push_back({.part = "results", .method = "percentile", .settings = settings});
    }
    return rows;
}

std::vector<PeerRow> weightRows()
{
    return {{.part = "weights", .method = "calibrate_weights/percentile"},
            {.part = "weights", .method = "calibrate_weights/mse"}};
}

std::vector<PeerRow> histogramRows()
{
    std::vector<PeerRow> rows;
    const struct
    {
        int bits;
        bool isUnsigned;
    } forms[] = {{3, false}, {4, false}, {3, true}};
    for (const auto& form : forms)
        for (const char* method : {"entropy", "mse"})
            rows.push_back({.part = "small_histograms",
                            .method = method,
                            .settings = {{"num_bits", form.bits}, {"unsigned", form.isUnsigned}}});
    for (const double alpha : {50.0, 90.0, 99.0, 100.0})
        rows.push_back({.part = "small_histograms",
                        .method = "percentile",
                        .settings = {{"percentile", alpha}}});
    return rows;
}

std::vector<PeerRow> nonFiniteRows()
{
    std::vector<PeerRow> rows;
    for (const char* method : {"percentile torch_hist=True", "entropy torch_hist=True",
                               "percentile torch_hist=False", "entropy torch_hist=False"})
        rows.push_back({.part = "non_finite", .method = method});
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
