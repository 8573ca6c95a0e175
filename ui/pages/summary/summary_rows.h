// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/protocol/messages.h"
#include "ui/document/document.h"
#include "ui/document/dump_summary.h"
#include "ui/document/sqnr_overview.h"
#include "ui/panels/summary_card.h"

#include <QString>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace calibscope {

/// "1 tensor", "30 tensors".
[[nodiscard]] QString tensorsText(std::uint64_t tensors);
/// "31.6 dB".
[[nodiscard]] QString dbText(double sqnrDb);

/// The lines of the cards on the summary page. A link is "filter:QUERY" or "tensor:PLACE".

/// Bars are by tensors, as the numbers beside them.
[[nodiscard]] std::vector<CardRow> shareRows(const std::vector<TensorShare>& shares,
                                             std::uint64_t allTensors);
/// With the titles of the rules in place of their ids, where they are known.
[[nodiscard]] std::vector<CardRow> ruleRows(const DumpSummary& summary,
                                            const std::vector<RuleUse>& rules);
[[nodiscard]] std::vector<CardRow>
attributeRows(const std::map<std::string, std::string>& attributes);
[[nodiscard]] std::vector<CardRow> warningRows(const std::vector<std::string>& warnings);
[[nodiscard]] std::vector<CardRow> unreadableRows(const DumpSummary& summary,
                                                  const std::vector<TensorInfo>& tensors);
/// Those that reading has found to be damaged, each with its reason.
[[nodiscard]] std::vector<CardRow> failedRows(const std::map<int, QString>& problems,
                                              const std::vector<TensorInfo>& tensors);
/// All of them in one line: "float32 28, float16 2".
[[nodiscard]] CardRow shareLine(const QString& name, const std::vector<TensorShare>& shares);
/// How many tensors have each finding of the diagnosis, most first; rounding, which nearly all have,
/// last.
[[nodiscard]] std::vector<CardRow> findingRows(const std::map<int, protocol::Preview>& previews);
/// The decisions, against the chosen recipe.
[[nodiscard]] std::vector<CardRow> decisionRows(const DecisionOverview& overview);
/// The lowest SQNR first.
[[nodiscard]] std::vector<CardRow> worstRows(const std::map<int, protocol::Preview>& previews,
                                             const std::vector<TensorInfo>& tensors,
                                             std::size_t most);

/// "614 400", "12.3 million".
[[nodiscard]] QString largeCountLabel(std::uint64_t count);

}  // namespace calibscope
