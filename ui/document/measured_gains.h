// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/results/improvement_results.h"
#include "core/results/ladder_results.h"
#include "ui/document/workbench.h"

#include <optional>
#include <string>
#include <vector>

namespace calibscope {

/// What gains at layers depend on, as a digest: decisions and ticks.
[[nodiscard]] std::string layerGainsDigest(const Workbench& workbench);
/// The same of gains at the network's end: also how the model is run.
[[nodiscard]] std::string rungGainsDigest(const Workbench& workbench);

/// The layers that have a remedy to tick, with the rows of these: one that was chosen, or left out
/// by `workbench`, for which they were measured.
[[nodiscard]] QList<LayerImprovement> remediesToTick(const ImprovementReport& report,
                                                     const Workbench& workbench);

/// The remedies that are ticked, as chosen; nothing: none is. Those that were measured for other
/// decisions or ticks say so among their notes.
[[nodiscard]] std::optional<ImprovementReport> tickedGains(const Workbench& workbench);
/// The steps at the network's end, likewise.
[[nodiscard]] std::vector<LadderRung> rungGains(const Workbench& workbench);

}  // namespace calibscope
