// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/best_gains.h"

#include "ui/document/document.h"
#include "ui/document/previews.h"
#include "ui/document/questions.h"
#include "ui/document/tensor_diagnosis.h"
#include "ui/plot/number_label.h"
#include "ui/theme/translate.h"

#include <algorithm>
#include <iterator>

namespace calibscope {

std::vector<Gain> BestGains::of(double leastDb) const
{
    std::vector<Gain> chosen;
    std::ranges::copy_if(gains, std::back_inserter(chosen),
                         [leastDb](const Gain& gain) { return gain.gainDb >= leastDb; });
    return chosen;
}

QStringList BestGains::sentences(double leastDb) const
{
    const std::vector<Gain> chosen = of(leastDb);
    const QString least = fixedLabel(leastDb, 1);
    if (chosen.empty())
        return {tr("No tensor gains %1 dB.").arg(least)};
    double sum = 0.0;
    double before = chosen.front().fromDb;
    double after = before + chosen.front().gainDb;
    for (const Gain& gain : chosen) {
        sum += gain.gainDb;
        before = std::min(before, gain.fromDb);
        after = std::min(after, gain.fromDb + gain.gainDb);
    }
    QStringList sentences{tr("%1 of %2 tensors gain at least %3 dB: %4 dB on average.")
                              .arg(countLabel(chosen.size()), countLabel(asked), least,
                                   fixedLabel(sum / static_cast<double>(chosen.size()), 1)),
                          tr("The lowest SQNR of these rises from %1 to %2 dB.")
                              .arg(fixedLabel(before, 1), fixedLabel(after, 1))};
    if (const auto replaced = std::ranges::count_if(chosen, &Gain::isReplaced); replaced > 0)
        sentences += countText(static_cast<std::uint64_t>(replaced), tr("1 decision is replaced."),
                               tr("%1 decisions are replaced."));
    return sentences;
}

BestGains bestGains(const Document& document, const std::vector<int>& tensors)
{
    BestGains best;
    for (const int tensor : tensors) {
        if (!isDecidable(document.tensors()[static_cast<std::size_t>(tensor)]))
            continue;
        ++best.asked;
        const MatrixRow* swept = document.questions().matrix().row(tensor);
        const std::optional<BetterChoice> better = bestOn(document, tensor);
        if (!better) {
            const bool isSwept = swept && (swept->isRead || !swept->problem.isEmpty());
            best.unknown += tensor == document.selected() || isSwept ? 0U : 1U;
            continue;
        }
        Gain gain{.tensor = tensor,
                  .candidate = better->candidate.id,
                  .fromDb = better->recipesDb,
                  .gainDb = better->gainDb};
        if (const Decision* decision = decisionOf(document, tensor)) {
            const std::optional<double> now = document.previews().sqnrOfDecision(tensor);
            if (!now || decision->id == gain.candidate)
                continue;
            gain.gainDb += gain.fromDb - *now;
            gain.fromDb = *now;
            gain.isReplaced = true;
        }
        if (gain.gainDb >= leastGainDb)
            best.gains.push_back(std::move(gain));
    }
    return best;
}

Accepted acceptGains(Document& document, const std::vector<Gain>& gains, double leastDb)
{
    std::vector<CandidateFor> wanted;
    for (const Gain& gain : gains)
        wanted.push_back({gain.tensor, gain.candidate});
    return acceptEach(document, wanted,
                      tr("Accept what gains at least %1 dB").arg(fixedLabel(leastDb, 1)));
}

}  // namespace calibscope
