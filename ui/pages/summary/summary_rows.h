#pragma once

#include "core/protocol/messages.h"
#include "ui/document/dump_summary.h"
#include "ui/panels/summary_card.h"

#include <map>
#include <string>
#include <vector>

namespace calibscope {

/// The lines of the cards on the summary page. A link is "filter:QUERY" or "tensor:PLACE".

[[nodiscard]] std::vector<CardRow> shareRows(const std::vector<TensorShare>& shares,
                                             std::uint64_t allValues);
/// With the titles of the rules in place of their ids, where they are told.
[[nodiscard]] std::vector<CardRow> ruleRows(const DumpSummary& summary,
                                            const std::vector<RuleUse>& rules);
[[nodiscard]] std::vector<CardRow>
attributeRows(const std::map<std::string, std::string>& attributes);
[[nodiscard]] std::vector<CardRow> warningRows(const std::vector<std::string>& warnings);
[[nodiscard]] std::vector<CardRow> unreadableRows(const DumpSummary& summary,
                                                  const std::vector<TensorInfo>& tensors);
/// The lowest SQNR first.
[[nodiscard]] std::vector<CardRow> worstRows(const std::map<int, protocol::Preview>& previews,
                                             const std::vector<TensorInfo>& tensors,
                                             std::size_t most);

/// "614 400", "12.3 million".
[[nodiscard]] QString largeCountLabel(std::uint64_t count);

}  // namespace calibscope
