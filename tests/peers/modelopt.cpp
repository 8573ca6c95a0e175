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

}  // namespace

Peer modeloptPeer()
{
    return {.id = "modelopt",
            .rows = {{.part = "results",
                      .method = "mse_calibrator",
                      .preset = "modelopt-mse",
                      .check = thresholdIsNear("amax")},
                     {.part = "weights",
                      .method = "mse_calibrator",
                      .preset = "modelopt-mse",
                      .check = thresholdIsNear("amax")}}};
}

}  // namespace calibscope::test
