// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/peers/peer_table.h"

namespace calibscope::test {

namespace {

PeerRow bound(const char* part, const char* method, int bits, int power)
{
    return {.part = part,
            .method = method,
            .settings = {{"bits", bits}, {"p_value", static_cast<double>(power)}},
            .preset = "praxis-p" + std::to_string(power) + "-" + std::to_string(bits) + "bit",
            // The recorded call for channels had factors of float64.
            .further = part == std::string("weights") ? GivenSettings{{"arithmetic", "double"}}
                                                      : GivenSettings{},
            .check = thresholdIsFloat32("bound")};
}

}  // namespace

Peer praxisPeer()
{
    Peer peer{.id = "praxis", .rows = {}};
    for (const int bits : {8, 4})
        for (const int power : {1, 2, 4}) {
            peer.rows.push_back(bound("results", "get_best_bound_per_tensor", bits, power));
            peer.rows.push_back(bound("weights", "get_best_bound_per_channel", bits, power));
        }
    return peer;
}

}  // namespace calibscope::test
