// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/stats/extents.h"
#include "core/tensor/tensor_info.h"

#include <QString>

#include <cstddef>
#include <optional>
#include <vector>

namespace calibscope {

class Document;

/// Whether a single value has at least 99 % of the tensor's energy, whatever the others are up to
/// the largest of them: its SQNR then says nothing of the others, most of which may be lost. Needs
/// the flag *lone*, see Extents::hasLoneMaximum().
[[nodiscard]] bool isSignalOfOneValue(const Extents& extents);

/// A tensor as it stands: by what was accepted, else under the chosen recipe.
struct OverviewEntry
{
    int tensor = -1;
    Role role = Role::Unknown;
    std::optional<double> sqnrDb;         ///< nothing: not known yet, or none
    std::optional<double> recipeDb = {};  ///< of the recipe's choice, where another was accepted
    bool isFailed = false;                ///< its values could not be read
    bool isOfOneValue = false;            ///< it reaches the limit by isSignalOfOneValue() alone
};

/// All tensors of a dump as they stand, as far as it is known.
struct SqnrOverview
{
    /// Activations, weights, others, each in the order of the dump; no biases, none that is
    /// excluded.
    std::vector<OverviewEntry> entries;
    std::size_t known = 0;    ///< with an SQNR
    std::size_t waiting = 0;  ///< whose preview is still to come
    std::size_t below = 0;    ///< the limit
    std::size_t failed = 0;   ///< can't be read, by their structure or their values
    std::size_t ofOneValue = 0;
    std::size_t uncounted = 0;  ///< biases, feeds and excluded ones
};

/// `limitDb` is what a tensor should reach.
[[nodiscard]] SqnrOverview sqnrOverview(const Document& document, double limitDb);
/// "3 of 30 are below 30 dB, all softmax or swish: rounding, not clipping. 2 can't be read."
[[nodiscard]] QString overviewSentence(const Document& document, const SqnrOverview& overview,
                                       double limitDb);
/// What the chosen recipe does, by its most frequent choices: "percentile 99.999; weights min-max
/// per channel". Empty where it covers no tensor.
[[nodiscard]] QString recipeWords(const Document& document);
/// Whether the chosen recipe speaks of none of the tensors for which something can be accepted, of
/// which there are some.
[[nodiscard]] bool recipeCoversNone(const Document& document);
/// The tensor's kind, by its name where that was made from one ("softmax_10.tmp_0":
/// softmax), else by its op; may be empty.
[[nodiscard]] QString kindWord(const TensorInfo& tensor);

/// The decisions, against the chosen recipe's choices for the same tensors.
struct DecisionOverview
{
    std::size_t decided = 0;
    std::size_t decidable = 0;
    std::size_t known =
        0;  ///< decided ones of which both numbers are known: those below are of these
    double meanDb = 0.0;
    double worstDb = 0.0;
    double recipeMeanDb = 0.0;
    double recipeWorstDb = 0.0;
};

[[nodiscard]] DecisionOverview decisionOverview(const Document& document);
}  // namespace calibscope
