#include "tests/peers/peer_table.h"

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

std::vector<PeerRow> histogramRows()
{
    return {{.part = "results",
             .method = "HistogramObserver",
             .settings = {{"qscheme", "torch.per_tensor_affine"}}},
            {.part = "results",
             .method = "HistogramObserver",
             .settings = {{"qscheme", "torch.per_tensor_symmetric"}}},
            {.part = "non_finite", .method = "HistogramObserver"}};
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
