#pragma once

#include "ui/document/session.h"

#include <cstddef>
#include <string>
#include <vector>

namespace calibscope {

/// For how many tensors an action accepted a candidate, and how many it skipped: they can't be read
/// or have no such calibrator.
struct Settled
{
    std::size_t settled = 0;
    std::size_t passedBy = 0;
};

/// Accepts what the candidate of that label computes on each of these tensors now. What was
/// accepted before is replaced; its remark stays where there is no other. One step.
Settled settle(Session& session, const std::vector<int>& tensors, const std::string& label,
               const std::string& remark = {});
/// Accepts what the chosen recipe says, whatever was changed in its candidates. One step.
Settled settleByRecipe(Session& session, const std::vector<int>& tensors,
                       const std::string& remark = {});
void unsettle(Session& session, const std::vector<int>& tensors);
/// Successive remarks on a tensor are one step. Nothing happens unless the tensor has a decision.
void setRemark(Session& session, int tensor, const std::string& remark);

/// nullptr: it has no decision.
[[nodiscard]] const Decision* decisionOf(const Session& session, int tensor);
/// Tensors with a decision; and those for which it can be.
[[nodiscard]] std::size_t settledCount(const Session& session);
[[nodiscard]] std::size_t settleableCount(const Session& session);
/// Tensors that could have a decision and have none.
[[nodiscard]] std::vector<int> unsettledTensors(const Session& session);

}  // namespace calibscope
