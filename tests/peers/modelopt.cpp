// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/peers/peer_table.h"

namespace calibscope::test {

Peer modeloptPeer()
{
    return {.id = "modelopt",
            .rows = {{.part = "results",
                      .method = "mse_calibrator",
                      .preset = "modelopt-mse",
                      .check = thresholdIsFloat32("amax")},
                     {.part = "weights",
                      .method = "mse_calibrator",
                      .preset = "modelopt-mse",
                      .check = thresholdIsFloat32("amax")}}};
}

}  // namespace calibscope::test
