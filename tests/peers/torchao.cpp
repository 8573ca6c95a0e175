// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/peers/peer_table.h"

namespace calibscope::test {

Peer torchaoPeer()
{
    const auto row = [](const char* scheme, const char* preset) {
        return PeerRow{.part = "results",
                       .method = "HistogramObserver",
                       .settings = {{"qscheme", scheme}},
                       .preset = preset,
                       .check = keepsObservedRange};
    };
    return {.id = "torchao-pt2e",
            .rows = {row("torch.per_tensor_affine", "torchao-histogram-affine"),
                     row("torch.per_tensor_symmetric", "torchao-histogram-symmetric")}};
}

}  // namespace calibscope::test
