// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tensor/tensor_info.h"

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace calibscope {

/// How a tensor of one dump was found in the other, the surest first.
enum class MatchRule {
    Manual,          ///< the user said so
    Name,            ///< equal names
    NormalizedName,  ///< equal but for separators, wrappers and output numbers
    NameEnd,         ///< one name is the end of the other, and of no other
    Order,           ///< the same position among those of equal role, op and shape: a guess
};

/// "manual", "name", "normalized name", "end of name", "order and shape".
[[nodiscard]] std::string_view matchRuleText(MatchRule rule);

/// A tensor and its counterpart.
struct TensorPair
{
    std::size_t a = 0;  ///< index in the first list
    std::size_t b = 0;
    MatchRule rule = MatchRule::Name;
    bool isSameShape = true;  ///< apart from the number of samples

    bool operator==(const TensorPair&) const = default;
};

struct TensorMatches
{
    std::vector<TensorPair> pairs;   ///< ascending by a
    std::vector<std::size_t> onlyA;  ///< ascending
    std::vector<std::size_t> onlyB;
};

/// Matches the tensors of two dumps. Each rule works on what the surer ones left, and only where it
/// leaves no choice: of several tensors that a rule can't tell apart it matches none. Roles agree,
/// or one is unknown. What lies beside the tensors (TensorInfo::isBeside) and
/// biases are left out of all lists.
/// `manualRange`: paths in A and in B; paths that are not there are ignored.
[[nodiscard]] TensorMatches
matchTensors(std::span<const TensorInfo> a, std::span<const TensorInfo> b,
             std::span<const std::pair<std::string, std::string>> manualRange = {});

/// A tensor's name without what tools add when they write it: wrappers around the model in front
/// ("module.", "model.", "_orig_mod."), an output number ":0" behind, and the choice among ".",
/// "/", ":" and "\" as separators, which all become ".". Case is kept. Never empty for a name that
/// is not: what would leave nothing is kept.
[[nodiscard]] std::string normalizedName(std::string_view name);

}  // namespace calibscope
