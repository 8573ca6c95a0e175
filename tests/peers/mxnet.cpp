#include "tests/peers/peer_table.h"

namespace calibscope::test {

Peer mxnetPeer()
{
    Peer peer{.id = "mxnet", .rows = {}};
    for (const int levels : {255, 511})
        peer.rows.push_back(
            {.part = "results", .method = "entropy", .settings = {{"num_quantized_bins", levels}}});
    return peer;
}

}  // namespace calibscope::test
