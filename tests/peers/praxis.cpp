#include "tests/peers/peer_table.h"

namespace calibscope::test {

namespace {

PeerRow bound(const char* part, const char* method, int bits, double power)
{
    return {.part = part, .method = method, .settings = {{"bits", bits}, {"p_value", power}}};
}

}  // namespace

Peer praxisPeer()
{
    Peer peer{.id = "praxis", .rows = {}};
    for (const int bits : {8, 4})
        for (const double power : {1.0, 2.0, 4.0}) {
            peer.rows.push_back(bound("results", "get_best_bound_per_tensor", bits, power));
            peer.rows.push_back(bound("weights", "get_best_bound_per_channel", bits, power));
        }
    return peer;
}

}  // namespace calibscope::test
