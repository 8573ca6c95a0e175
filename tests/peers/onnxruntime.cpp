#include "tests/peers/peer_table.h"

namespace calibscope::test {

Peer onnxruntimePeer()
{
    Peer peer{.id = "onnxruntime", .rows = {}};
    for (const int bins : {128, 2048, 8001})
        peer.rows.push_back(
            {.part = "results", .method = "entropy", .settings = {{"num_bins", bins}}});
    for (const bool isSymmetric : {true, false})
        for (const double percentile : {99.9, 99.99, 99.999})
            peer.rows.push_back(
                {.part = "results",
                 .method = "percentile",
                 .settings = {{"symmetric", isSymmetric}, {"percentile", percentile}}});
    return peer;
}

}  // namespace calibscope::test
