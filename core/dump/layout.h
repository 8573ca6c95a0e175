// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/dump/dataset_facts.h"
#include "core/dump/file_facts.h"
#include "core/stats/rule_use.h"
#include "core/tensor/tensor_info.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace calibscope {

/// A possible tensor: a dataset, or numbered ones whose values follow each other along axis 0.
struct TensorDatasets
{
    DatasetFacts facts;  ///< of several: the path of what holds them, and their shape as a whole
    std::vector<std::size_t> datasets;  ///< in FileFacts::datasets, in the order of their values
    std::uint64_t partLength = 0;       ///< of several: the length of one along axis 0
    std::vector<std::string> evidence;  ///< why they are several or one, as sentences

    [[nodiscard]] bool isMerged() const { return datasets.size() > 1; }
};

/// A layout rule's reading of a dataset, or of several numbered ones.
struct Understood
{
    TensorInfo info;
    std::optional<std::int64_t> order = {};  ///< place in the model's graph, where it was recorded
    std::vector<std::string> warnings = {};  ///< attributes that were passed over, as sentences
    bool standsAlone = false;  ///< its numbered neighbours are certain to be other tensors
    std::vector<std::size_t> datasets =
        {};  ///< that hold its values, in their order; not for rules
};

/// How one way of recording tells role, batches and channels of a tensor.
struct LayoutRule
{
    /// What the rule makes of a datasets; nothing where it does not apply. Never throws: what is
    /// missing or odd is passed over with a warning.
    using Reader = std::function<std::optional<Understood>(const TensorDatasets&)>;

    int order = 0;        ///< the first rule that understands a datasets wins
    std::string_view id;  ///< as in TensorInfo::layoutRule
    std::string_view title;
    std::string_view looksFor;  ///< what makes it apply
    std::string_view makes;     ///< what it makes of a dataset then
    std::string_view guesses;   ///< what of that is a guess; empty: nothing
    /// Prepares what it needs to know of a file as a whole, so that each datasets takes a time
    /// that does not grow with their number. The reader may keep a reference to the file.
    Reader (*readerFor)(const FileFacts& file) = nullptr;
};

/// All layout rules, one file each in core/dump/layouts, in their order. The last one applies to
/// everything.
[[nodiscard]] const std::vector<LayoutRule>& layoutRules();

/// The reading of each dataset of a file by the first rule that applies, in the order of the graph
/// where it was recorded, else in that of the file. With `mergeNumbered` numbered datasets that
/// look like the batches of one tensor become one tensor.
[[nodiscard]] std::vector<Understood> understand(const FileFacts& file, bool mergeNumbered = true);

/// The rules by which tensors were understood, in the rules' order; without those that none was.
[[nodiscard]] std::vector<RuleUse> usesOf(std::span<const TensorInfo> tensors);

/// A tensor of which only the file's own facts are known: no role, one batch, no channels.
[[nodiscard]] TensorInfo plainInfo(const DatasetFacts& dataset, std::string name,
                                   std::string_view layoutRule);

}  // namespace calibscope
