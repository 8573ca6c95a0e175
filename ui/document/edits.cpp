// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/edits.h"

#include "ui/document/card_choice.h"
#include "ui/document/manual_range.h"
#include "ui/document/questions.h"
#include "ui/plot/number_label.h"
#include "ui/theme/translate.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace calibscope::edits {

namespace {

/// What makes the second of the first, as a step that can be undone.
QString nameOf(const PlotDisplay& before, const PlotDisplay& after)
{
    if (before.isLogCount != after.isLogCount)
        return tr("Log y axis");
    if (before.isLogX != after.isLogX)
        return tr("Log x axis");
    if (before.domain != after.domain)
        return tr("Magnitudes");
    if (before.areAxesLinked != after.areAxesLinked)
        return after.areAxesLinked ? tr("Link axes") : tr("Unlink axes");
    if (before.isQuantizedShown != after.isQuantizedShown)
        return after.isQuantizedShown ? tr("Show quantized histogram")
                                      : tr("Hide quantized histogram");
    if (before.isTableShown != after.isTableShown)
        return after.isTableShown ? tr("Show table") : tr("Hide table");
    return tr("Quantity of the y axis");
}

/// The id, or the label, numbered if others have the same.
std::string unique(const std::string& text, std::string CandidateName::*part,
                   const std::vector<CandidateName>& others, const char* pattern)
{
    std::string requested = text;
    for (int number = 2; std::ranges::find(others, requested, part) != others.end(); ++number)
        requested = fmt::format(fmt::runtime(pattern), text, number);
    return requested;
}

const std::string& pathOf(const Document& document, int tensor)
{
    return document.understood().at(tensor).path;
}

void say(Document& document, const QString& text, const std::vector<int>& tensors,
         const TensorSaid& words)
{
    document.change(stepOn(document, text, tensors), [&](Workbench& workbench) {
        for (const int tensor : tensors) {
            if (words == TensorSaid{})
                workbench.said.remove(pathOf(document, tensor));
            else
                workbench.said.insert(pathOf(document, tensor), words);
        }
    });
}

/// The selected tensor's candidate whose scheme a manual range takes; nullptr: it has none.
const OutcomeRow* schemeRow(const Document& document)
{
    const std::vector<OutcomeRow>& rows = document.questions().rows();
    const bool isListed =
        std::ranges::find(rows, OutcomeRow::Origin::Listed, &OutcomeRow::origin) != rows.end();
    return isListed ? &manualSchemeRow(rows, document.workbench()) : nullptr;
}

}  // namespace

void chooseRecipe(Document& document, const QString& id)
{
    const std::vector<Recipe>& known = recipes();
    const auto found = std::ranges::find(known, id.toStdString(), &Recipe::id);
    const Recipe& chosen = found == known.end() ? known.front() : *found;
    document.change(tr("Recipe %1").arg(QString::fromStdString(chosen.title)),
                    [&chosen](Workbench& workbench) { workbench.recipe = chosen.id; });
}

QString stepOn(const Document& document, const QString& text, const std::vector<int>& tensors)
{
    if (tensors.size() != 1)
        return QStringLiteral("%1: %2").arg(
            text, countText(tensors.size(), tr("1 tensor"), tr("%1 tensors")));
    const std::string& name = document.tensors().at(static_cast<std::size_t>(tensors.front())).name;
    return QStringLiteral("%1: %2").arg(text, QString::fromStdString(name));
}

void understand(Document& document, const std::vector<int>& tensors,
                const LayoutOverride& layoutOverride)
{
    std::vector<int> able;
    std::ranges::copy_if(tensors, std::back_inserter(able), [&](int tensor) {
        return document.understood().allows(tensor, layoutOverride);
    });
    say(document, layoutOverride.isEmpty() ? tr("Reset layout") : tr("Change layout"), able,
        {.layoutOverride = layoutOverride});
}

void confirm(Document& document, const std::vector<int>& tensors)
{
    std::vector<int> guessed;
    std::ranges::copy_if(tensors, std::back_inserter(guessed),
                         [&](int tensor) { return document.understood().at(tensor).isGuess; });
    say(document, tr("Confirm the guess"), guessed, {.layoutOverride = {}, .isConfirmed = true});
}

void setPinned(Document& document, const std::vector<int>& tensors, bool isPinned)
{
    document.change(stepOn(document, isPinned ? tr("Pin") : tr("Unpin"), tensors),
                    [&](Workbench& workbench) {
                        for (const int tensor : tensors)
                            isPinned ? (void)workbench.pins.insert(pathOf(document, tensor))
                                     : (void)workbench.pins.erase(pathOf(document, tensor));
                    });
}

void setExcluded(Document& document, const std::vector<int>& tensors, bool isExcluded)
{
    document.change(stepOn(document, isExcluded ? tr("Exclude") : tr("Include"), tensors),
                    [&](Workbench& workbench) {
                        for (const int tensor : tensors)
                            isExcluded ? (void)workbench.excluded.insert(pathOf(document, tensor))
                                       : (void)workbench.excluded.erase(pathOf(document, tensor));
                    });
}

void setLeftOut(Document& document, const std::string& remedy, bool isLeftOut)
{
    document.change(isLeftOut ? tr("Leave out remedy") : tr("Take remedy"),
                    [&](Workbench& workbench) {
                        isLeftOut ? (void)workbench.leftOut.insert(remedy)
                                  : (void)workbench.leftOut.erase(remedy);
                    });
}

void setModelRun(Document& document, const ModelRun& run)
{
    document.change(tr("Change run of model"), [&](Workbench& workbench) { workbench.run = run; });
}

bool isPinned(const Document& document, int tensor)
{
    return document.workbench().pins.contains(pathOf(document, tensor));
}

bool isExcluded(const Document& document, int tensor)
{
    return document.workbench().excluded.contains(pathOf(document, tensor));
}

QString labelOf(const Document& document, const std::string& candidate)
{
    for (const OutcomeRow& row : document.questions().rows())
        if (row.candidate.id == candidate)
            return QString::fromStdString(row.candidate.label);
    const std::vector<AddedCandidate>& added = document.workbench().added;
    const auto found = std::ranges::find(added, candidate, &AddedCandidate::id);
    return QString::fromStdString(found == added.end() ? candidate : found->label);
}

void setTicked(Document& document, const std::string& candidate, bool isTicked)
{
    const QString shown = labelOf(document, candidate);
    document.change(isTicked ? tr("Show %1").arg(shown) : tr("Hide %1").arg(shown),
                    [&](Workbench& workbench) { workbench.ticks[candidate] = isTicked; });
}

void setBaseline(Document& document, const std::string& candidate)
{
    document.change(candidate.empty() ? tr("No baseline")
                                      : tr("Baseline %1").arg(labelOf(document, candidate)),
                    [&candidate](Workbench& workbench) { workbench.baseline = candidate; });
}

void editChoice(Document& document, const std::string& candidate, const Choice& choice,
                const QString& gesture)
{
    Choice own = choice;
    own.rangeFrom.clear();  // what it takes from others belongs to one tensor
    document.change(
        tr("Change %1").arg(labelOf(document, candidate)),
        [&](Workbench& workbench) { workbench.edits.insert_or_assign(candidate, own); },
        gesture.isEmpty() ? QString()
                          : "edit " + QString::fromStdString(candidate) + " " + gesture);
}

void resetChoice(Document& document, const std::string& candidate)
{
    document.change(tr("Reset %1").arg(labelOf(document, candidate)),
                    [&candidate](Workbench& workbench) { workbench.edits.erase(candidate); });
}

std::string candidateOf(const Document& document, const Choice& choice)
{
    const std::vector<OutcomeRow>& rows = document.questions().rows();
    const auto same = std::ranges::find_if(rows, [&choice](const OutcomeRow& row) {
        return row.origin != OutcomeRow::Origin::Manual &&
               row.origin != OutcomeRow::Origin::Imported &&
               row.candidate.choice.isSameComputation(choice);
    });
    return same == rows.end() ? std::string() : same->candidate.id;
}

AddedCandidate newCandidate(const Document& document, const Choice& choice,
                            const std::string& label)
{
    Choice own = choice;
    own.rangeFrom.clear();
    std::vector<CandidateName> others = {{.id = manualId, .label = manualLabel},
                                         {.id = importedId, .label = importedLabel}};
    for (const OutcomeRow& row : document.questions().rows())
        others.push_back(row.candidate.name());
    for (const AddedCandidate& added : document.workbench().added)
        others.push_back({.id = added.id, .label = added.label});
    return {.id = unique(choiceId(own), &CandidateName::id, others, "{}#{}"),
            .label = unique(label, &CandidateName::label, others, "{} ({})"),
            .choice = own};
}

std::string addChoice(Document& document, const Choice& choice)
{
    if (const std::string same = candidateOf(document, choice); !same.empty()) {
        setTicked(document, same, true);
        return same;
    }
    const AddedCandidate added = newCandidate(document, choice, shortLabel(choice));
    document.change(tr("Add %1").arg(QString::fromStdString(added.label)),
                    [&](Workbench& workbench) { workbench.added.push_back(added); });
    return added.id;
}

void removeAdded(Document& document, const std::string& candidate)
{
    document.change(tr("Remove %1").arg(labelOf(document, candidate)),
                    [&candidate](Workbench& workbench) {
                        std::erase_if(workbench.added, [&candidate](const AddedCandidate& added) {
                            return added.id == candidate;
                        });
                        workbench.edits.erase(candidate);
                        workbench.ticks.erase(candidate);
                        if (workbench.baseline == candidate)
                            workbench.baseline.clear();
                    });
}

void placeManualRange(Workbench& workbench, const std::string& tensor, const Range& range)
{
    workbench.manualRange[tensor] = range;
    workbench.ticks.erase(manualId);
}

void setManualRange(Document& document, const Range& range, bool isFinal)
{
    const TensorInfo* tensor = document.selectedTensor();
    const OutcomeRow* schemeOf = tensor ? schemeRow(document) : nullptr;
    if (!schemeOf)
        return;
    Range hand = manualClip(range);
    if (!schemeOf->candidate.choice.scheme.isAffine()) {
        const double threshold = std::max(-hand.low, hand.high);
        hand = {.low = -threshold, .high = threshold};
    }
    document.change(
        stepOn(document, tr("Set manual range"), {document.selected()}),
        [&](Workbench& workbench) { placeManualRange(workbench, tensor->path, hand); },
        "manual " + QString::fromStdString(tensor->path));
    if (isFinal)
        document.endMerge();
    cardsOf(document).choose(manualId);
}

void setManualRange(Document& document, double threshold, bool isFinal)
{
    setManualRange(document, Range{-std::abs(threshold), std::abs(threshold)}, isFinal);
}

void clearManualRange(Document& document)
{
    if (const TensorInfo* tensor = document.selectedTensor())
        document.change(
            stepOn(document, tr("Clear manual range"), {document.selected()}),
            [tensor](Workbench& workbench) { workbench.manualRange.erase(tensor->path); });
}

void setImported(Document& document, const QMap<std::string, ImportedRange>& ranges)
{
    document.change(tr("Import scales"), [&ranges](Workbench& workbench) {
        for (const auto& [path, range] : ranges.asKeyValueRange())
            workbench.imported.insert(path, range);
    });
}

void clearImported(Document& document)
{
    if (const TensorInfo* tensor = document.selectedTensor())
        document.change(
            stepOn(document, tr("Remove imported range"), {document.selected()}),
            [tensor](Workbench& workbench) { workbench.imported.remove(tensor->path); });
}

std::optional<Range> manualRange(const Document& document)
{
    const TensorInfo* tensor = document.selectedTensor();
    if (!tensor)
        return std::nullopt;
    const auto& ranges = document.workbench().manualRange;
    const auto found = ranges.find(tensor->path);
    return found == ranges.end() ? std::nullopt : std::optional{found->second};
}

void setManualScheme(Document& document, const std::string& candidate)
{
    document.change(tr("Scheme of the manual range"),
                    [&candidate](Workbench& workbench) { workbench.manualScheme = candidate; });
}

std::string manualScheme(const Document& document)
{
    const OutcomeRow* row = document.selectedTensor() ? schemeRow(document) : nullptr;
    return row ? row->candidate.id : std::string();
}

void setDisplay(Document& document, const PlotDisplay& display)
{
    document.change(nameOf(document.workbench().display, display),
                    [&display](Workbench& workbench) {
                        // What was looked at is elsewhere then.
                        if (workbench.display.domain != display.domain)
                            workbench.zooms.clear();
                        if (workbench.display.quantity != display.quantity)
                            for (auto& [page, kept] : workbench.zooms)
                                kept.zoom.y.reset();
                        workbench.display = display;
                    });
}

void setSecondary(Document& document, Secondary secondary)
{
    document.change(tr("Lower plot"),
                    [secondary](Workbench& workbench) { workbench.secondary = secondary; });
}

void setQuantizedShown(Document& document, bool isShown)
{
    PlotDisplay display = document.workbench().display;
    display.isQuantizedShown = isShown;
    setDisplay(document, display);
}

void setZoom(Document& document, const QString& page, const Zoom& zoom, const QString& gesture)
{
    const TensorInfo* tensor = document.selectedTensor();
    if (!tensor)
        return;
    document.change(
        tr("Zoom"),
        [&](Workbench& workbench) {
            if (zoom == Zoom{})
                workbench.zooms.erase(page.toStdString());
            else
                workbench.zooms[page.toStdString()] = {.tensor = tensor->path, .zoom = zoom};
        },
        gesture.isEmpty() ? QString() : "zoom " + page + " " + gesture);
}

Zoom zoom(const Document& document, const QString& page)
{
    const TensorInfo* tensor = document.selectedTensor();
    const auto& zooms = document.workbench().zooms;
    const auto found = zooms.find(page.toStdString());
    const bool isOfTensor = tensor && found != zooms.end() && found->second.tensor == tensor->path;
    return isOfTensor ? found->second.zoom : Zoom{};
}

}  // namespace calibscope::edits
