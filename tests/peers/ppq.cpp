#include "tests/peers/peer_table.h"

namespace calibscope::test {

Peer ppqPeer()
{
    Peer peer{.id = "ppq", .rows = {{.part = "results", .method = "kl"}}};
    for (const char* method : {"mse", "percentile"})
        for (const bool isSymmetric : {true, false})
            peer.rows.push_back(
                {.part = "results", .method = method, .settings = {{"symmetric", isSymmetric}}});
    return peer;
}

}  // namespace calibscope::test
