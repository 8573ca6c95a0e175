// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/document/document.h"

#include <cstddef>
#include <string>
#include <vector>

namespace calibscope {

/// For how many tensors an action accepted a candidate, and how many it passed by: they can't be
/// read or have no such calibrator.
struct Accepted
{
    std::size_t accepted = 0;
    std::size_t skipped = 0;
};

/// Accepts what that candidate computes on each of these tensors now. What was accepted before is
/// replaced; its remark stays where there is no other and the candidate is the same: it says why
/// that one was accepted. One step.
Accepted acceptCandidate(Document& document, const std::vector<int>& tensors,
                         const std::string& candidate, const std::string& remark = {});
/// Accepts a choice for the selected tensor, as the candidate that computes it, else as one that is
/// added under that label. One step.
void acceptChoice(Document& document, const Choice& choice, const std::string& label);
/// A candidate for a tensor, by its id.
struct CandidateFor
{
    int tensor = -1;
    std::string candidate;
};
/// The same of several tensors, each its own candidate; `text` names the one step.
Accepted acceptEach(Document& document, const std::vector<CandidateFor>& wanted,
                    const QString& text);
/// Accepts what the chosen recipe says, whatever was changed in its candidates. One step.
Accepted acceptRecipe(Document& document, const std::vector<int>& tensors,
                      const std::string& remark = {});
/// What was accepted for some tensors is from now on in so many bits, and nothing is accepted for
/// others, which stay float. One step.
void acceptPrecision(Document& document, const std::vector<int>& inBits, int bits,
                     const std::vector<int>& inFloat);
void clearDecisions(Document& document, const std::vector<int>& tensors);
/// Successive remarks on a tensor are one step. Nothing happens unless something was accepted.
void setRemark(Document& document, int tensor, const std::string& remark);

/// nullptr: nothing was accepted for it.
[[nodiscard]] const Decision* decisionOf(const Document& document, int tensor);
/// Whether something can be accepted for it: it can be read, holds no integers and is no bias.
[[nodiscard]] bool isDecidable(const TensorInfo& tensor);
/// Why nothing can be accepted for a tensor, as a sentence: the opposite of isDecidable(), or it is
/// known to have no finite value. Empty: something can.
[[nodiscard]] QString notDecidableText(const Document& document, int tensor);
/// Tensors for which something was accepted; and those for which it can be.
[[nodiscard]] std::size_t decidedCount(const Document& document);
[[nodiscard]] std::size_t decidableCount(const Document& document);
/// Paths for which something was accepted in a session and that the dump has no longer, in order.
[[nodiscard]] std::vector<std::string> lostDecisions(const Document& document);
/// Tensors for which nothing was accepted that can be.
[[nodiscard]] std::vector<int> undecidedTensors(const Document& document);
/// Whether something could be accepted for a tensor that the chosen recipe leaves out.
[[nodiscard]] bool isLeftOutByRecipe(const Document& document, int tensor);
/// "24 activations are not covered by this recipe."; empty for none.
[[nodiscard]] QString leftOutSentence(const Document& document, const std::vector<int>& leftOut);

}  // namespace calibscope
