// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/protocol/messages.h"
#include "core/tensor/tensor_info.h"

#include <QString>
#include <QStringList>

#include <cstdint>
#include <span>

namespace calibscope {

/// How grave a flag is: what its pictogram is coloured by.
enum class FlagWeight { Error, Warning, Doubt, Note, Mark, Done };

/// A flag's name in filters and in the legend.
struct FlagKind
{
    char16_t letter;
    FlagWeight weight;
    const char* word;     ///< as in flag:nan
    const char* meaning;  ///< to be translated
};

/// All that there are, the gravest first.
[[nodiscard]] std::span<const FlagKind> flagKinds();
[[nodiscard]] QString flagMeaning(const FlagKind& kind);

/// Warnings of a row of the tensor list, one letter each, and the reasons as sentences.
struct TensorFlags
{
    QString letters;  ///< of flagKinds(), in their order
    QStringList reasons;

    [[nodiscard]] bool isEmpty() const { return letters.isEmpty(); }
    /// Something to look after: more than what the user said.
    [[nodiscard]] bool hasWarning() const;
};

/// Of several tensors, a bit for each of flagKinds() in their order. What the user said is left
/// out.
using WarningSet = std::uint16_t;
[[nodiscard]] WarningSet warningSet(const TensorFlags& flags);
/// The letters, and the meanings, of a set.
[[nodiscard]] QString warningLetters(WarningSet warnings);
[[nodiscard]] QStringList meaningsOf(WarningSet warnings);

/// State of a tensor, with the user's statements on it.
struct TensorMarks
{
    QString problem = {};     ///< why its values could not be read, a sentence; empty: they could
    bool isEdited = false;    ///< how it is to be understood
    bool isExcluded = false;  ///< of no interest
    QString decided = {};     ///< label that was accepted; empty: none was
    /// What its samples give reason to doubt, as sentences; empty: nothing that is known.
    QString unconverged = {};
};

/// x: its values can't be read; !: NaN or infinities; 0: constant or all zero; 1: a lone value
/// decides the full range; ~: float32 can't hold all of it; ±: other samples, or another order of
/// them, would give another scale; ?: role or axes are guessed; *: they were set in the window; −:
/// excluded; ✓: accepted. `preview` is nullptr until it was computed.
[[nodiscard]] TensorFlags tensorFlags(const TensorInfo& tensor, const protocol::Preview* preview,
                                      const TensorMarks& marks = {});

}  // namespace calibscope
