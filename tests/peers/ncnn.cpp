#include "tests/peers/peer_table.h"

namespace calibscope::test {

Peer ncnnPeer()
{
    return {.id = "ncnn",
            .rows = {{.part = "results", .method = "kl"}, {.part = "results", .method = "aciq"}}};
}

}  // namespace calibscope::test
