// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/protocol/messages.h"
#include "core/recipes/candidates.h"
#include "core/recipes/diagnosis.h"

#include <QString>
#include <QStringList>

#include <limits>
#include <optional>
#include <span>
#include <vector>

namespace calibscope {

class Document;

/// A better choice for a tensor than the chosen recipe's.
struct BetterChoice
{
    CandidateName candidate;
    double gainDb = 0.0;     ///< of its SQNR over the recipe's choice
    double recipesDb = 0.0;  ///< SQNR of the recipe's choice
    bool isExact = true;
};

/// Of the listed candidates the one of highest SQNR, if it gains enough over what the chosen recipe
/// chooses: by the selected tensor's outcomes, else by the matrix. Nothing while neither is known.
/// Nothing of quantized values, or where one value is the signal. Asks for nothing.
[[nodiscard]] std::optional<BetterChoice> betterOn(const Document& document, int tensor);
/// Choices that a better one is looked for among.
enum class Schemes {
    All,
    Symmetric,  ///< zero is the integer 0, signed: what tools without a zero point can carry
};
/// That one whatever it gains: 0 where it is the recipe's own.
/// A choice that these tools can carry.
[[nodiscard]] bool isSymmetric(const Choice& choice);
[[nodiscard]] std::optional<BetterChoice> bestOn(const Document& document, int tensor,
                                                 Schemes schemes = Schemes::All);

/// "heavy tail": what a finding is called in a list.
[[nodiscard]] QString findingTitle(FindingKind kind);
/// The same with its number: "heavy tail (max 5.6 × p99.9)".
[[nodiscard]] QString findingWords(const TensorFinding& finding);
/// Findings as they are read: clipping goes first, since it is rare; rounding, which is common, last.
[[nodiscard]] std::vector<TensorFinding> asRead(std::span<const TensorFinding> findings);
/// Of a row in a list, without numbers: "heavy tail, rounding-bound"; empty: nothing was found.
[[nodiscard]] QString diagnosisTitles(std::span<const TensorFinding> findings);
/// "Heavy tail (max 5.6 × p99.9), one-sided, rounding-bound (98 %).", behind a sentence of its own
/// where an SQNR means nothing or no scale is a normal float32. Of more findings than `most` the
/// others are counted: "Heavy tail (max 5.6 × p99.9) and 2 more."
[[nodiscard]] QString diagnosisSentence(const protocol::Preview& preview,
                                        qsizetype most = std::numeric_limits<qsizetype>::max());
/// "mse gains 6.1 dB", with ≈ where one of both is estimated.
[[nodiscard]] QString gainWords(const BetterChoice& better);
/// All that is known of each finding, a sentence a line.
[[nodiscard]] QStringList diagnosisLines(std::span<const TensorFinding> findings);

}  // namespace calibscope
