#pragma once

#include "core/exchange/scale_file.h"
#include "core/tensor/tensor_info.h"

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace calibscope::exchange {

/// By what an entry's name was found to be a tensor's, the surest first.
enum class EntryNameRule {
    None,
    Map,        ///< the user said so
    Recorded,   ///< the recorder told the graph's name
    Equal,      ///< equal names
    Separator,  ///< equal but for `/` in place of `.`, and leading ones
    End,        ///< the entry's name ends in the tensor's, behind one of `. / : _`
};

/// "map", "recorded", "equal", "separator", "end"; empty for none.
[[nodiscard]] std::string_view entryNameRuleText(EntryNameRule rule);

/// Which tensor an entry is for.
struct EntryMatch
{
    std::optional<std::size_t> tensor;  ///< index in the list; nothing: none, or several
    EntryNameRule rule = EntryNameRule::None;
    std::vector<std::string> candidates;  ///< names among which nothing decides
};

/// Names in the model by names or paths in the dump.
using ModelNames = std::map<std::string, std::string, std::less<>>;

/// The tensors that a file's entries are for, one match for each entry. Tensors that lie beside the
/// model (TensorInfo::isBeside) are left out. Of several that a rule finds, those of the entry's
/// role are preferred; what is still ambiguous is matched to none. An ncnn table's "conv_param_0"
/// is looked for as "conv.weight" and "conv" too.
[[nodiscard]] std::vector<EntryMatch> matchEntries(const ScaleFile& file,
                                                   std::span<const TensorInfo> tensors,
                                                   const ModelNames& map = {});

/// Tensors that no match has, though the format has their role. Indices, ascending.
[[nodiscard]] std::vector<std::size_t> missingTensors(std::span<const TensorInfo> tensors,
                                                      std::span<const EntryMatch> matches,
                                                      bool hasWeights, bool hasActivations);

}  // namespace calibscope::exchange
