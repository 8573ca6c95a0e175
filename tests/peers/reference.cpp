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
            .preset = outliersInQ ? "moffett-entropy" : "moffett-entropy-open",
            .further = {{"growth", "fixed"}, {"first-bin", ourFirstBin}},
            .check = isEntropy};
}

PeerRow iterationRow(const char* start)
{
    return {.part = "reference", .method = "l2_iterative", .settings = {{"init", start}}};
}

}  // namespace

Peer referencePeer()
{
    Peer peer{.id = "reference",
              .rows = {iterationRow("max"),
                       iterationRow("p99.9"),
                       iterationRow("max/4"),
                       {.part = "reference", .method = "l2_grid_2000"},
                       {.part = "reference", .method = "per_channel"}}};
    for (const bool outliersInQ : {false, true}) {
        peer.rows.push_back(entropyRow("none", "counted", outliersInQ));
        peer.rows.push_back(entropyRow("zero", "discarded", outliersInQ));
        peer.rows.push_back(entropyRow("copy1", "copied", outliersInQ));
    }
    return peer;
}

}  // namespace calibscope::test
