#include "tests/peers/entries.h"
#include "tests/support/catch.h"

#include <algorithm>
#include <iostream>
#include <map>
#include <set>

using namespace calibscope;
using namespace calibscope::test;

namespace {

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

}  // namespace

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
