// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/peers/entries.h"
#include "tests/support/catch.h"

#include <algorithm>
#include <iostream>
#include <map>
#include <set>

namespace peers_test {

using namespace calibscope;
using namespace calibscope::test;

const std::vector<Peer>& allPeers()
{
    static const std::vector<Peer> peers{
        exactPeer(),       numpyPeer(),    pytorchQuantizationPeer(),
        modeloptPeer(),    torchPeer(),    torchaoPeer(),
        praxisPeer(),      glowPeer(),     aimetPeer(),
        onnxruntimePeer(), mxnetPeer(),    ncnnPeer(),
        ppqPeer(),         referencePeer()};
    return peers;
}

const std::vector<Verdict>& verdicts()
{
    static const std::vector<Verdict> all = runEntries(allPeers());
    return all;
}

void printCounts()
{
    std::map<std::string, std::pair<std::size_t, std::size_t>> counts;  // reproduced, all
    std::size_t reproduced = 0;
    for (const Verdict& verdict : verdicts()) {
        auto& [ofPeer, all] = counts[verdict.entry.peer];
        ++all;
        if (!verdict.isReproduced())
            continue;
        ++ofPeer;
        ++reproduced;
    }
    for (const auto& [peer, count] : counts)
        std::cout << "  " << peer << ": reproduced " << count.first << " of " << count.second
                  << "\n";
    std::cout << "reproduced " << reproduced << " of " << verdicts().size() << "\n";
}

/// Rows without a preset with the number of their entries, then each entry that is not reproduced.
void printRest()
{
    std::map<std::string, std::size_t> waiting;
    for (const Verdict& verdict : verdicts())
        if (verdict.row != nullptr && !verdict.hasPreset)
            ++waiting[verdict.entry.part + ": " + verdict.entry.peer + " " + verdict.row->method +
                      " " + verdict.row->settings.dump()];
    for (const auto& [row, entries] : waiting)
        std::cout << "no preset yet: " << row << ", entries: " << entries << "\n";
    for (const Verdict& verdict : verdicts())
        if (verdict.hasPreset && !verdict.isReproduced())
            std::cout << "not reproduced: " << verdict.entry.text() << ": "
                      << (verdict.reason.empty() ? "without a reason" : verdict.reason) << " ("
                      << verdict.difference << ")\n";
}

TEST_CASE("presets reproduce the numbers of other tools, but for those listed with a reason")
{
    printCounts();
    printRest();
    for (const Verdict& verdict : verdicts()) {
        INFO(verdict.entry.text() << "\n" << verdict.difference);
        if (verdict.hasPreset && verdict.reason.empty())
            CHECK(verdict.isReproduced());
        if (verdict.hasPreset && !verdict.reason.empty())
            CHECK_FALSE(verdict.isReproduced());  // else take it off the list
    }
}

TEST_CASE("every number of another tool belongs to one row of its table, and every row has some")
{
    std::set<const PeerRow*> used;
    for (const Verdict& verdict : verdicts()) {
        INFO(verdict.entry.text());
        CHECK(verdict.matchingRows == 1);
        used.insert(verdict.row);
    }
    for (const Peer& peer : allPeers())
        for (const PeerRow& row : peer.rows) {
            INFO(peer.id << " " << row.part << " " << row.method << " " << row.settings.dump());
            CHECK(used.contains(&row));
        }
}

TEST_CASE("all numbers of the golden file are compared: so many of each tool, so many reproduced")
{
    using Counts = std::map<std::string, std::pair<std::size_t, std::size_t>>;
    Counts counts;
    for (const Verdict& verdict : verdicts()) {
        auto& [reproduced, compared] = counts[verdict.entry.peer];
        reproduced += verdict.isReproduced() ? 1U : 0U;
        compared += verdict.hasPreset ? 1U : 0U;
    }
    CHECK(counts == Counts{{"aimet", {167, 168}},
                           {"exact", {8, 8}},
                           {"glow", {204, 206}},
                           {"modelopt", {9, 9}},
                           {"mxnet", {13, 13}},
                           {"ncnn", {16, 16}},
                           {"numpy", {24, 24}},
                           {"onnxruntime", {70, 70}},
                           {"ppq", {40, 40}},
                           {"praxis", {54, 54}},
                           {"pytorch-quantization", {161, 174}},
                           {"reference", {70, 70}},
                           {"torch-1.13", {38, 42}},
                           {"torchao-pt2e", {16, 16}}});
    CHECK(verdicts().size() == 910);
    // Of the file's members that hold results none is left out.
    CHECK(goldenLists() == std::set<std::string>{"format_examples", "non_finite", "reference",
                                                 "results", "small_histograms", "weights"});
}

TEST_CASE("every number listed as not reproducible is one that another tool gives")
{
    for (const Peer& peer : allPeers())
        for (const PeerRow& row : peer.rows)
            for (const NotReproducible& listed : row.notReproducible) {
                INFO(peer.id << " " << row.method << " " << listed.input);
                CHECK_FALSE(listed.reason.empty());
                CHECK(std::ranges::any_of(verdicts(), [&](const Verdict& verdict) {
                    return verdict.row == &row && verdict.entry.input == listed.input;
                }));
            }
}

}  // namespace peers_test
