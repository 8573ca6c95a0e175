// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/measured_gains.h"

#include "core/base/digest.h"
#include "core/base/hex.h"
#include "core/recipes/choice_json.h"

#include <algorithm>

namespace calibscope {

namespace {

const std::string earlierText = "measured before the last change of decisions or ticks";

nlohmann::json gainsBasis(const Workbench& workbench)
{
    nlohmann::json basis{{"left_out", workbench.leftOut}};
    for (const auto& [tensor, decision] : workbench.decisions.asKeyValueRange())
        basis["choices"][tensor] = choiceJson(decision.choice);
    return basis;
}

std::string remedyId(const LayerImprovement& layer, const RemedyResult& row)
{
    return layer.decided.layer + ':' + row.remedy;
}

}  // namespace

std::string layerGainsDigest(const Workbench& workbench)
{
    return hexText(sha256(gainsBasis(workbench).dump()));
}

std::string rungGainsDigest(const Workbench& workbench)
{
    const ModelRun& run = workbench.run;
    nlohmann::json basis = gainsBasis(workbench);
    basis["run"] = {run.feeds, run.end, run.isSequential};
    return hexText(sha256(basis.dump()));
}

QList<LayerImprovement> remediesToTick(const ImprovementReport& report, const Workbench& workbench)
{
    QList<LayerImprovement> layers;
    for (LayerImprovement layer : report.layers) {
        for (RemedyResult& row : layer.rows)
            row.isChosen = row.remedy != "all" &&
                           (row.isChosen || workbench.leftOut.contains(remedyId(layer, row)));
        std::erase_if(layer.rows, [](const RemedyResult& row) {
            return !row.isChosen && row.remedy != "decided";
        });
        if (layer.rows.size() > 1)
            layers.push_back(std::move(layer));
    }
    return layers;
}

std::optional<ImprovementReport> tickedGains(const Workbench& workbench)
{
    const MeasuredGains& gains = workbench.gains;
    const bool isEarlier = gains.layersOf != layerGainsDigest(workbench);
    ImprovementReport ticked;
    bool hasTicks = false;
    for (LayerImprovement layer : gains.layers) {
        for (RemedyResult& row : layer.rows) {
            row.isChosen = row.isChosen && !workbench.leftOut.contains(remedyId(layer, row));
            hasTicks = hasTicks || row.isChosen;
            if (isEarlier)
                row.notes.push_back(earlierText);
        }
        ticked.layers.push_back(std::move(layer));
    }
    return hasTicks ? std::optional(std::move(ticked)) : std::nullopt;
}

std::vector<LadderRung> rungGains(const Workbench& workbench)
{
    const MeasuredGains& gains = workbench.gains;
    const bool isEarlier = gains.rungsOf != rungGainsDigest(workbench);
    std::vector<LadderRung> rungs(gains.rungs.begin(), gains.rungs.end());
    if (isEarlier)
        for (LadderRung& rung : rungs)
            rung.note += (rung.note.empty() ? "" : "; ") + earlierText;
    return rungs;
}

}  // namespace calibscope
