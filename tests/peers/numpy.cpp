// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/peers/peer_table.h"

namespace calibscope::test {

namespace {

PeerRow percentile(double alpha, const char* text)
{
    return {.part = "results",
            .method = "percentile_abs_linear",
            .settings = {{"percentile", alpha}},
            .preset = "rebellions-percentile",
            .further = {{"alpha", text}},
            .check = [](const Answer& answer, const nlohmann::json& result) {
                return sameNumber("amax", thresholdOf(answer.whole), result.at("amax"));
            }};
}

}  // namespace

Peer numpyPeer()
{
    return {.id = "numpy",
            .rows = {percentile(99.9, "99.9"), percentile(99.99, "99.99"),
                     percentile(99.999, "99.999")}};
}

}  // namespace calibscope::test
