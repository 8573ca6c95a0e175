#pragma once

#include "ui/document/session.h"

#include <cstddef>
#include <string>
#include <vector>

namespace calibscope {

/// How many tensors an action settled, and how many it passed by: they can't be read or have no
/// such calibrator.
struct Settled
{
    std::size_t settled = 0;
    std::size_t passedBy = 0;
};

/// Settles on what that candidate computes on each of these tensors now. What was
/// settled before is replaced; its remark stays where there is no other. One step.
Settled settle(Session& session, const std::vector<int>& tensors, const std::string& candidate,
               const std::string& remark = {});
/// Settles on what the chosen recipe says, whatever was changed in its candidates. One step.
Settled settleByRecipe(Session& session, const std::vector<int>& tensors,
                       const std::string& remark = {});
void unsettle(Session& session, const std::vector<int>& tensors);
/// Successive remarks on a tensor are one step. Nothing happens unless the tensor is settled.
void setRemark(Session& session, int tensor, const std::string& remark);

/// nullptr: nothing was settled for it.
[[nodiscard]] const Decision* decisionOf(const Session& session, int tensor);
/// Tensors for which something was settled; and those for which it can be.
[[nodiscard]] std::size_t settledCount(const Session& session);
[[nodiscard]] std::size_t settleableCount(const Session& session);
/// Tensors that can be settled and are not.
[[nodiscard]] std::vector<int> unsettledTensors(const Session& session);

}  // namespace calibscope
