#include "tests/peers/peer_table.h"

namespace calibscope::test {

namespace {

/// Their factors are rounded to float32, ours are not: within one unit in the last place.
Check thresholdIsNear(const char* name)
{
    return [name](const Answer& answer, const nlohmann::json& result) {
        const auto isNear = [name](const ScaleRow& row, const nlohmann::json& theirs) {
            return near(name, thresholdOf(row), theirs, 1.2e-7);
        };
        const nlohmann::json& theirs = result.at(name);
        return theirs.is_array() ? eachChannel(answer, theirs, isNear)
                                 : isNear(answer.whole, theirs);
    };
}

PeerRow bound(const char* part, const char* method, int bits, int power)
{
    return {.part = part,
            .method = method,
            .settings = {{"bits", bits}, {"p_value", static_cast<double>(power)}},
            .preset = "praxis-p" + std::to_string(power) + "-" + std::to_string(bits) + "bit",
            .check = thresholdIsNear("bound")};
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
