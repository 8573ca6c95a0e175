// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/peers/peer_table.h"

#include <set>
#include <string>
#include <vector>

namespace calibscope::test {

/// One number, or group of numbers, that a peer gives: an element of a list of peers.json.
struct Entry
{
    std::string part;
    std::string peer;
    std::string input;  ///< a tensor's name, or a histogram's with its layout
    std::string method;
    nlohmann::json settings;
    nlohmann::json result;
    nlohmann::json histogram;  ///< small_histograms: the whole entry

    [[nodiscard]] std::string text() const;
};

/// All entries of the parts that presets are compared with, in the order of the file.
[[nodiscard]] std::vector<Entry> peerEntries();

/// The members of the golden file that are lists, or objects of examples: where results can be.
[[nodiscard]] std::set<std::string> goldenLists();

/// An entry with the row that answers it (nullptr: none does) and how it went.
struct Verdict
{
    Entry entry;
    const Peer* peer = nullptr;
    const PeerRow* row = nullptr;
    std::size_t matchingRows = 0;
    bool hasPreset = false;
    std::string difference;  ///< of an entry with a preset; empty: reproduced
    std::string reason;      ///< why it can't be reproduced, as listed; empty: it is to be

    [[nodiscard]] bool isReproduced() const { return hasPreset && difference.empty(); }
};

/// Runs all entries through the tables. `peers` must outlive the verdicts.
[[nodiscard]] std::vector<Verdict> runEntries(const std::vector<Peer>& peers);

}  // namespace calibscope::test
