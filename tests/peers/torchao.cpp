#include "tests/peers/peer_table.h"

namespace calibscope::test {

Peer torchaoPeer()
{
    Peer peer{.id = "torchao-pt2e", .rows = {}};
    for (const char* scheme : {"torch.per_tensor_affine", "torch.per_tensor_symmetric"})
        peer.rows.push_back(
            {.part = "results", .method = "HistogramObserver", .settings = {{"qscheme", scheme}}});
    return peer;
}

}  // namespace calibscope::test
