#include "tests/peers/peer_table.h"

namespace calibscope::test {

Peer aimetPeer()
{
    Peer peer{.id = "aimet", .rows = {}};
    for (const char* mode : {"asymmetric", "symmetric", "symmetric_strict"}) {
        for (const char* method : {"tf", "tf_enhanced", "mse", "entropy"})
            peer.rows.push_back(
                {.part = "results", .method = method, .settings = {{"mode", mode}}});
        for (const double percentile : {99.9, 99.99, 100.0})
            peer.rows.push_back({.part = "results",
                                 .method = "percentile",
                                 .settings = {{"mode", mode}, {"percentile", percentile}}});
    }
    return peer;
}

}  // namespace calibscope::test
