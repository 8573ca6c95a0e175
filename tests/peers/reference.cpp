// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/peers/peer_table.h"

namespace calibscope::test {

namespace {

/// All zero: the entry's result is null, our threshold 0.
std::string isEntropy(const Answer& answer, const nlohmann::json& result)
{
    if (result.is_null())
        return sameNumber("threshold", thresholdOf(answer.whole), 0.0);
    const std::size_t firstCandidate = 127;
    const std::size_t chosen = answer.curve.chosen;
    for (const std::string& difference :
         {sameNumber("B", static_cast<double>(chosen + firstCandidate), result.at("B")),
          near("threshold", thresholdOf(answer.whole), result.at("threshold"), 1e-15),
          near("kl", answer.curve.value.at(chosen), result.at("kl"), 1e-9)})
        if (!difference.empty())
            return difference;
    return {};
}

PeerRow entropyRow(const char* firstBin, const char* ourFirstBin, bool outliersInQ)
{
    return {.part = "reference",
            .method = "seed_entropy_literal",
            .settings = {{"first_bin", firstBin}, {"outliers_in_Q", outliersInQ}},
            .preset = outliersInQ ? "moffett-entropy-spread" : "moffett-entropy-open-spread",
            .further = {{"growth", "fixed"}, {"first-bin", ourFirstBin}},
            .check = isEntropy};
}

/// Scale and error; all zero is scale 1 here, 0 there.
std::string isIteration(const Answer& answer, const nlohmann::json& result)
{
    if (thresholdOf(answer.whole) == 0.0)
        return sameNumber("scale", 0.0, result.at("scale"));
    const Trace& trace = answer.trace;
    // Its sums are rounded otherwise than ours, but not so that an iteration more or less is
    // needed.
    for (const std::string& difference :
         {near("scale", trace.scale.back(), result.at("scale"), 1e-9),
          near("E", trace.error.back(), result.at("E"), 1e-9),
          sameNumber("iterations", static_cast<double>(trace.iterations), result.at("iterations"))})
        if (!difference.empty())
            return difference;
    return {};
}

PeerRow iterationRow(const char* init, const char* start)
{
    return {.part = "reference",
            .method = "l2_iterative",
            .settings = {{"init", init}},
            .calibrator = "l2",
            .further = {{"start", start}, {"grid", "0"}},
            .scheme = SchemeKind::SymmetricFull,
            .check = isIteration};
}

std::string isEachIteration(const Answer& answer, const nlohmann::json& result)
{
    const auto sameScale = [](const ScaleRow& row, const nlohmann::json& theirs) {
        return thresholdOf(row) == 0.0 ? sameNumber("scale", 0.0, theirs)
                                       : near("scale", row.quantizer.scale, theirs, 1e-9);
    };
    const auto sameMax = [](const ScaleRow& row, const nlohmann::json& theirs) {
        return sameNumber("absmax", row.extents.absMax(), theirs);
    };
    const std::string difference = eachChannel(answer, result.at("l2"), sameScale);
    return difference.empty() ? eachChannel(answer, result.at("absmax"), sameMax) : difference;
}

PeerRow eachChannelRow()
{
    return {.part = "reference",
            .method = "per_channel",
            .settings = {{"l2_init", "max"}},
            .calibrator = "l2",
            .scheme = SchemeKind::SymmetricFull,
            .check = isEachIteration};
}

std::string isGrid(const Answer& answer, const nlohmann::json& result)
{
    const Trace& trace = answer.trace;
    if (trace.error.empty())
        return sameNumber("scale", 0.0, result.at("scale"));
    const std::string difference = near("scale", *trace.gridScale, result.at("scale"), 1e-9);
    return difference.empty() ? near("E", *trace.gridError, result.at("E"), 1e-9) : difference;
}

PeerRow gridRow()
{
    return {.part = "reference",
            .method = "l2_grid_2000",
            .calibrator = "l2",
            .further = {{"cap", "1"}, {"grid-from", "1"}},
            .scheme = SchemeKind::SymmetricFull,
            .check = isGrid};
}

}  // namespace

Peer referencePeer()
{
    Peer peer{.id = "reference",
              .rows = {iterationRow("max", "max"), iterationRow("p99.9", "p99.9"),
                       iterationRow("max/4", "0.25"), gridRow(), eachChannelRow()}};
    for (const bool outliersInQ : {false, true}) {
        peer.rows.push_back(entropyRow("none", "counted", outliersInQ));
        peer.rows.push_back(entropyRow("zero", "discarded", outliersInQ));
        peer.rows.push_back(entropyRow("copy1", "copied", outliersInQ));
    }
    return peer;
}

}  // namespace calibscope::test
