#pragma once

#include "core/dump/dataset_facts.h"
#include "core/stats/rule_use.h"
#include "core/stats/tensor_info.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace calibscope {

/// What a layout rule makes of a dataset.
struct Understood
{
    TensorInfo info;
    std::optional<std::int64_t> order;  ///< place in the model's graph, where it was recorded
    std::vector<std::string> warnings;  ///< attributes that were passed over, as sentences
};

/// How one way of recording tells role, batches and channels of a tensor.
struct LayoutRule
{
    int order = 0;        ///< the first rule that understands a dataset wins
    std::string_view id;  ///< as in TensorInfo::layoutRule
    std::string_view title;
    std::string_view summary;
    /// What it makes of a dataset in a file with these root attributes; nothing if it does not
    /// apply. Never throws: what is missing or odd is passed over with a warning.
    std::optional<Understood> (*understand)(const Attributes& root,
                                            const DatasetFacts& dataset) = nullptr;
};

/// All layout rules, one file each in core/dump/layouts, in their order. The last one applies to
/// everything.
[[nodiscard]] const std::vector<LayoutRule>& layoutRules();

/// What the first rule that applies makes of a dataset.
[[nodiscard]] Understood understand(const Attributes& root, const DatasetFacts& dataset);

/// The rules by which tensors were understood, in the rules' order; without those that none was.
[[nodiscard]] std::vector<RuleUse> usesOf(std::span<const TensorInfo> tensors);

/// A tensor of which only the file's own facts are known: no role, one batch, no channels.
[[nodiscard]] TensorInfo plainInfo(const DatasetFacts& dataset, std::string name,
                                   std::string_view layoutRule);

}  // namespace calibscope
