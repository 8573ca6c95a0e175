// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/report/tables/end_report.h"
#include "ui/document/decisions.h"
#include "ui/document/tensor_diagnosis.h"

#include <QStringList>

#include <cstddef>
#include <optional>
#include <vector>

namespace calibscope {

constexpr double usualLeastGainDb = 3.0;
constexpr double mostLeastGainDb = 60.0;

/// The SQNR in which a gain is counted.
enum class GainBasis {
    Tensor,  ///< of the tensor itself
    Layer,   ///< of a layer's output, with both operands quantized
    End,     ///< of the network's end, predicted from its table
};

/// A tensor, or a layer, with the calibrators that gain most on it; of the network's end on top of
/// those before it.
struct Gain
{
    std::vector<CandidateFor> best;  ///< one for a tensor; for a layer those of its operands
    double fromDb = 0.0;             ///< SQNR with what was accepted, else the recipe's choice
    double gainDb = 0.0;             ///< above that, at least leastGainDb unless it is needed
    std::size_t replaced = 0;        ///< tensors for which another one was accepted
    bool isShared = false;           ///< not to be had: a layer that shares an operand loses by it;
                                     ///< of the end: the tensor has no such calibrator
    bool isNeeded = false;           ///< of symmetric choices alone: the present one is not
    std::optional<double> lowDb = {};  ///< of the predicted SQNR with this gain
    std::optional<double> highDb = {};
};

/// The best calibrators of several tensors or layers.
struct BestGains
{
    std::vector<Gain> gains = {};  ///< where leastGainDb is gained, in the order asked for
    std::size_t asked = 0;         ///< where anything can be accepted
    std::size_t unknown = 0;       ///< of these not computed
    GainBasis basis = GainBasis::Tensor;

    /// Those that can be had and gain so much, or are needed. Of the end all up to the last of these: without any
    /// one of them it would lose as much.
    [[nodiscard]] std::vector<Gain> of(double leastDb) const;
    /// "12 of 30 tensors gain at least 3.0 dB: 4.1 dB on average.", "The lowest SQNR of these rises
    /// from 27.2 to 31.8 dB.", and the number of decisions that would be replaced; of layers,
    /// "at their output", with the number of those that can't be had; of the end its interval.
    [[nodiscard]] QStringList sentences(double leastDb) const;

private:
    [[nodiscard]] QStringList endSentences(double leastDb) const;
};

/// By the SQNR of the tensors themselves, as far as all calibrators were computed on them (see
/// bestOn()). Asks for nothing.
[[nodiscard]] BestGains bestGains(const Document& document, const std::vector<int>& tensors,
                                  Schemes schemes = Schemes::All);
/// The pair of candidates that gains most at the output of each layer, as far as trials are known,
/// the largest gain first. Of tensors that several layers multiply a candidate is taken only where
/// no other layer is known to lose by it or has no trial of it. Asks for nothing.
[[nodiscard]] BestGains bestLayerGains(const Document& document);
/// The choices with the least noise at the network's end, of which the first row is that of what is
/// accepted. Empty rows: nothing is known.
[[nodiscard]] BestGains bestEndGains(const Document& document, const std::vector<BestRow>& rows);
/// Accepts the best of each that gains so much, as one step.
Accepted acceptGains(Document& document, const BestGains& best, double leastDb);

}  // namespace calibscope
