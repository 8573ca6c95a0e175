#include "tests/peers/peer_table.h"

namespace calibscope::test {

Peer modeloptPeer()
{
    return {.id = "modelopt",
            .rows = {{.part = "results", .method = "mse_calibrator"},
                     {.part = "weights", .method = "mse_calibrator"}}};
}

}  // namespace calibscope::test
