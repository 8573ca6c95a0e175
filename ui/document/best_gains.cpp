// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/best_gains.h"

#include "core/graph/named_tensors.h"
#include "ui/document/document.h"
#include "ui/document/outcome_rows.h"
#include "ui/document/previews.h"
#include "ui/document/questions.h"
#include "ui/plot/number_label.h"
#include "ui/theme/translate.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <string>
#include <utility>

namespace calibscope {

namespace {

using Effects = std::vector<CandidateEffect>;

/// What a layer's best pair makes of its operand; an empty id: its operand is not in the dump.
CandidateFor wantedFor(int tensor, const Effects& effects, std::size_t best)
{
    return {.tensor = tensor, .candidate = tensor < 0 ? std::string() : effects[best].candidate};
}

bool isDecidedFor(const Effects& effects, const std::string& candidate)
{
    const auto found = std::ranges::find(effects, candidate, &CandidateEffect::candidate);
    return found != effects.end() && found->isDecided;
}

/// No layer but `own` is known to lose by that, and all that multiply the tensor have tried it.
bool harmsNone(const std::vector<LayerRow>& rows, const LayerRow& own, const CandidateFor& wanted)
{
    return std::ranges::all_of(rows, [&](const LayerRow& row) {
        if (&row == &own || (row.input != wanted.tensor && row.weight != wanted.tensor))
            return true;
        if (!row.isComputable())
            return true;  // nothing will be known of it
        if (!row.trials)
            return false;
        const Effects& effects =
            row.input == wanted.tensor ? row.trials->input : row.trials->weight;
        const auto found =
            std::ranges::find(effects, wanted.candidate, &CandidateEffect::candidate);
        return found != effects.end() && found->differenceDb.value_or(-1.0) >= 0.0;
    });
}

}  // namespace

std::vector<Gain> BestGains::of(double leastDb) const
{
    if (basis == GainBasis::End) {
        const auto end = std::ranges::find(gains, true, &Gain::isShared);
        auto count = end - gains.begin();
        while (count > 0 && gains[static_cast<std::size_t>(count - 1)].gainDb < leastDb)
            --count;
        return {gains.begin(), gains.begin() + count};
    }
    std::vector<Gain> chosen;
    std::ranges::copy_if(gains, std::back_inserter(chosen), [leastDb](const Gain& gain) {
        return (gain.gainDb >= leastDb || gain.isNeeded) && !gain.isShared;
    });
    return chosen;
}

QStringList BestGains::endSentences(double leastDb) const
{
    const std::vector<Gain> chosen = of(leastDb);
    QStringList sentences;
    if (chosen.empty()) {
        sentences +=
            tr("No other measured choice gains %1 dB at the end.").arg(fixedLabel(leastDb, 1));
    } else {
        const Gain& last = chosen.back();
        const QString after = dbLabel(last.fromDb + last.gainDb);
        sentences += countText(chosen.size(), tr("1 tensor raises the network's end"),
                               tr("%1 tensors raise the network's end")) +
                     u' ' +
                     (last.lowDb && last.highDb
                          ? tr("from %1 to %2 dB (%3 to %4), predicted.")
                                .arg(dbLabel(chosen.front().fromDb), after, dbLabel(last.lowDb),
                                     dbLabel(last.highDb))
                          : tr("from at most %1 to at most %2 dB, predicted: some operands are not "
                               "measured.")
                                .arg(dbLabel(chosen.front().fromDb), after));
    }
    if (const auto lost = std::ranges::count(gains, true, &Gain::isShared); lost > 0)
        sentences +=
            countText(static_cast<std::uint64_t>(lost),
                      tr("1 more is not to be had: its calibrator is not among the cards."),
                      tr("%1 more are not to be had: a calibrator is not among the "
                         "cards."));
    return sentences;
}

QStringList BestGains::sentences(double leastDb) const
{
    if (basis == GainBasis::End)
        return endSentences(leastDb);
    const bool isOfLayers = basis == GainBasis::Layer;
    std::vector<Gain> chosen = of(leastDb);
    const std::size_t all = chosen.size();
    std::size_t replaced = 0;
    for (const Gain& gain : chosen)
        replaced += gain.replaced;
    std::erase_if(chosen, [leastDb](const Gain& gain) { return gain.gainDb < leastDb; });
    const QString least = fixedLabel(leastDb, 1);
    QStringList sentences;
    if (chosen.empty()) {
        sentences +=
            (isOfLayers ? tr("No layer gains %1 dB at its output.") : tr("No tensor gains %1 dB."))
                .arg(least);
    } else {
        double sum = 0.0;
        double before = chosen.front().fromDb;
        double after = before + chosen.front().gainDb;
        for (const Gain& gain : chosen) {
            sum += gain.gainDb;
            before = std::min(before, gain.fromDb);
            after = std::min(after, gain.fromDb + gain.gainDb);
        }
        sentences +=
            (isOfLayers
                 ? tr("%1 of %2 layers gain at least %3 dB at their output: %4 dB on average.")
                 : tr("%1 of %2 tensors gain at least %3 dB: %4 dB on average."))
                .arg(countLabel(chosen.size()), countLabel(asked), least,
                     fixedLabel(sum / static_cast<double>(chosen.size()), 1));
        sentences += tr("The lowest SQNR of these rises from %1 to %2 dB.")
                         .arg(fixedLabel(before, 1), fixedLabel(after, 1));
    }
    if (const auto shared = std::ranges::count_if(
            gains, [leastDb](const Gain& gain) { return gain.isShared && gain.gainDb >= leastDb; });
        shared > 0)
        sentences += countText(static_cast<std::uint64_t>(shared),
                               tr("1 more layer shares an operand that others need as it is."),
                               tr("%1 more layers share an operand that others need as it is."));
    if (all > chosen.size())
        sentences +=
            countText(all - chosen.size(),
                      tr("1 more becomes symmetric, which it is not, at less or at a loss."),
                      tr("%1 more become symmetric, which they are not, at less or at a loss."));
    if (replaced > 0)
        sentences +=
            countText(replaced, tr("1 decision is replaced."), tr("%1 decisions are replaced."));
    return sentences;
}

BestGains bestGains(const Document& document, const std::vector<int>& tensors, Schemes schemes)
{
    BestGains best;
    for (const int tensor : tensors) {
        if (!isDecidable(document.tensors()[static_cast<std::size_t>(tensor)]))
            continue;
        ++best.asked;
        const MatrixRow* swept = document.questions().matrix().row(tensor);
        const std::optional<BetterChoice> better = bestOn(document, tensor, schemes);
        if (!better) {
            const bool isSwept = swept && (swept->isRead || !swept->problem.isEmpty());
            best.unknown += tensor == document.selected() || isSwept ? 0U : 1U;
            continue;
        }
        Gain gain{.best = {{tensor, better->candidate.id}},
                  .fromDb = better->recipesDb,
                  .gainDb = better->gainDb};
        const Decision* decision = decisionOf(document, tensor);
        const std::optional<Choice> present =
            decision ? decision->choice : recipesChoice(document, tensor);
        gain.isNeeded = schemes == Schemes::Symmetric && present && !isSymmetric(*present);
        if (decision) {
            const std::optional<double> now = document.previews().sqnrOfDecision(tensor);
            if (!now || decision->id == better->candidate.id)
                continue;
            gain.gainDb += gain.fromDb - *now;
            gain.fromDb = *now;
            gain.replaced = 1;
        }
        if (gain.gainDb >= leastGainDb || gain.isNeeded)
            best.gains.push_back(std::move(gain));
    }
    return best;
}

BestGains bestLayerGains(const Document& document)
{
    BestGains best{.basis = GainBasis::Layer};
    const std::vector<LayerRow>& rows = document.questions().layers().rows();
    std::vector<const LayerRow*> tried;
    for (const LayerRow& row : rows) {
        if (!row.isComputable() || !row.reason().isEmpty())
            continue;
        ++best.asked;
        best.unknown += row.trials ? 0U : 1U;
        if (row.trials && row.trials->bestInput && row.trials->bestWeight &&
            row.trials->bestDifferenceDb.value_or(0.0) >= leastGainDb)
            tried.push_back(&row);
    }
    std::ranges::stable_sort(tried, std::ranges::greater{},
                             [](const LayerRow* row) { return *row->trials->bestDifferenceDb; });
    std::map<int, std::string> taken;  // of operands also what stays as it is
    for (const LayerRow* row : tried) {
        const LayerCandidates& trials = *row->trials;
        Gain gain{.fromDb = trials.decided.outputSqnrDb.value_or(0.0),
                  .gainDb = *trials.bestDifferenceDb};
        const std::pair<CandidateFor, const Effects*> both[] = {
            {wantedFor(row->input, trials.input, *trials.bestInput), &trials.input},
            {wantedFor(row->weight, trials.weight, *trials.bestWeight), &trials.weight}};
        for (const auto& [wanted, effects] : both) {
            if (wanted.tensor < 0)
                continue;
            const auto known = taken.find(wanted.tensor);
            gain.isShared =
                gain.isShared || (known != taken.end() && known->second != wanted.candidate) ||
                (!isDecidedFor(*effects, wanted.candidate) && !harmsNone(rows, *row, wanted));
            if (isDecidedFor(*effects, wanted.candidate))
                continue;
            gain.replaced += decisionOf(document, wanted.tensor) ? 1U : 0U;
            gain.best.push_back(wanted);
        }
        if (!gain.isShared)
            for (const auto& [wanted, effects] : both)
                taken.try_emplace(wanted.tensor, wanted.candidate);
        best.gains.push_back(std::move(gain));
    }
    return best;
}

BestGains bestEndGains(const Document& document, const std::vector<BestRow>& rows)
{
    BestGains best{.basis = GainBasis::End};
    if (rows.empty())
        return best;
    best.asked = static_cast<std::size_t>(rows.front().otherChoices);
    const NamedTensors named(document.tensors());
    for (std::size_t index = 1; index < rows.size(); ++index) {
        const BestRow& row = rows[index];
        Gain gain{.fromDb = rows[index - 1].predictedDb.value_or(0.0),
                  .gainDb = row.gainDb,
                  .lowDb = row.lowDb,
                  .highDb = row.highDb};
        if (const auto tensor =
                row.isWeight ? named.weight(row.tensor) : named.activation(row.tensor)) {
            const int found = static_cast<int>(*tensor);
            for (const OutcomeRow& known : rowsOf(document, found))
                if (gain.best.empty() && choiceId(known.candidate.choice) == row.choiceId)
                    gain.best.push_back({found, known.candidate.id});
            gain.replaced = decisionOf(document, found) ? 1 : 0;
        }
        // What comes after it is counted on top of it.
        gain.isShared = gain.best.empty() || (!best.gains.empty() && best.gains.back().isShared);
        best.gains.push_back(std::move(gain));
    }
    return best;
}

Accepted acceptGains(Document& document, const BestGains& best, double leastDb)
{
    std::vector<CandidateFor> wanted;
    for (const Gain& gain : best.of(leastDb))
        wanted.insert(wanted.end(), gain.best.begin(), gain.best.end());
    return acceptEach(document, wanted,
                      (best.basis == GainBasis::Layer
                           ? tr("Accept what gains at least %1 dB at layers' outputs")
                       : best.basis == GainBasis::End
                           ? tr("Accept what gains at least %1 dB at the network's end")
                           : tr("Accept what gains at least %1 dB"))
                          .arg(fixedLabel(leastDb, 1)));
}

}  // namespace calibscope
