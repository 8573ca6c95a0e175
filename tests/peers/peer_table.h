// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/calibrators/calibrator.h"
#include "core/recipes/outcome.h"

#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

// Which of our presets claims to reproduce which entries of tests/golden/peers.json: one row for
// each peer, method and settings, one file for each peer. A row without a preset is printed as "no
// preset yet"; an entry without a row fails the test.

namespace calibscope::test {

/// What a choice gives on an entry's input.
struct Answer
{
    Choice choice;
    ScaleRow whole;
    std::vector<ScaleRow> channels;  ///< entries of the part `weights`
    Curve curve;
    Trace trace = {};
};

/// The difference between an answer and an entry's `result`, as a sentence; empty where they agree.
using Check = std::function<std::string(const Answer&, const nlohmann::json& result)>;

/// An entry of a row that no preset can reproduce, and why.
struct NotReproducible
{
    std::string input;  ///< as in the entry's `input` or `hist`
    std::string reason;
};

struct PeerRow
{
    std::string part;  ///< "results", "weights", "small_histograms", "non_finite", "reference"
    std::string method;
    /// Those of the entries' settings that tell this row from others.
    nlohmann::json settings = nlohmann::json::object();
    std::string preset;      ///< empty: none yet, or one of the calibrator's own
    std::string calibrator;  ///< for what is not a tool's: a calibrator under its defaults
    GivenSettings further;   ///< beside the preset's or the defaults
    std::optional<SchemeKind> scheme;  ///< in place of the preset's; restricted for a calibrator
    Check check;
    std::vector<NotReproducible> notReproducible;
};

struct Peer
{
    std::string id;  ///< as in the entries; "reference" for those of that part
    std::vector<PeerRow> rows;
};

[[nodiscard]] Peer aimetPeer();
[[nodiscard]] Peer exactPeer();
[[nodiscard]] Peer glowPeer();
[[nodiscard]] Peer modeloptPeer();
[[nodiscard]] Peer mxnetPeer();
[[nodiscard]] Peer ncnnPeer();
[[nodiscard]] Peer numpyPeer();
[[nodiscard]] Peer onnxruntimePeer();
[[nodiscard]] Peer ppqPeer();
[[nodiscard]] Peer praxisPeer();
[[nodiscard]] Peer pytorchQuantizationPeer();
[[nodiscard]] Peer referencePeer();
[[nodiscard]] Peer torchPeer();
[[nodiscard]] Peer torchaoPeer();

/// A peer's name for a number and how ours must agree with it.
/// The same float32 (ours rounded to it, if it is a double).
[[nodiscard]] std::string sameFloat32(const char* name, double ours, const nlohmann::json& theirs);
/// The same double.
[[nodiscard]] std::string sameNumber(const char* name, double ours, const nlohmann::json& theirs);
/// Within a share of theirs.
[[nodiscard]] std::string near(const char* name, double ours, const nlohmann::json& theirs,
                               double relative);

/// The threshold is the float32 that the result calls `name`; per channel each of its list.
[[nodiscard]] Check thresholdIsFloat32(std::string name);
/// HistogramObserver's: the kept range with 0 in it, float32 scale, and the zero point counted from
/// the lowest integer.
[[nodiscard]] std::string keepsObservedRange(const Answer& answer, const nlohmann::json& result);
/// The first difference of a list of one number for each channel.
[[nodiscard]] std::string
eachChannel(const Answer& answer, const nlohmann::json& theirs,
            const std::function<std::string(const ScaleRow&, const nlohmann::json&)>& compare);
/// The threshold of a row, 0 where none was chosen.
[[nodiscard]] double thresholdOf(const ScaleRow& row);

}  // namespace calibscope::test
