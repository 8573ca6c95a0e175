// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/document/document.h"

#include <optional>
#include <string>
#include <vector>

/// The user's decisions on display and computation: each a step of the document.
namespace calibscope::edits {

void chooseRecipe(Document& document, const QString& id);

/// A step on tensors by its text: the name of one, the number of several behind it.
[[nodiscard]] QString stepOn(const Document& document, const QString& text,
                             const std::vector<int>& tensors);

/// Says how some tensors are to be understood; nothing said: as the file says.
void understand(Document& document, const std::vector<int>& tensors,
                const LayoutOverride& layoutOverride);
/// Confirms the guesses for these.
void confirm(Document& document, const std::vector<int>& tensors);
void setPinned(Document& document, const std::vector<int>& tensors, bool isPinned);
void setExcluded(Document& document, const std::vector<int>& tensors, bool isExcluded);
[[nodiscard]] bool isPinned(const Document& document, int tensor);
[[nodiscard]] bool isExcluded(const Document& document, int tensor);

/// A candidate's name on the selected tensor, or where it was added; its id if neither.
[[nodiscard]] QString labelOf(const Document& document, const std::string& candidate);
/// Candidates are named by their ids, here and below.
void setTicked(Document& document, const std::string& candidate, bool isTicked);
/// The baseline of comparisons, by id; empty: none.
void setBaseline(Document& document, const std::string& candidate);
/// Computes that in place of the candidate's own choice, on every tensor. Changes of the same
/// candidate with the same gesture that is not empty are one step.
void editChoice(Document& document, const std::string& candidate, const Choice& choice,
                const QString& gesture = {});
void resetChoice(Document& document, const std::string& candidate);
/// Id of the selected tensor's candidate that computes that; empty: none does.
[[nodiscard]] std::string candidateOf(const Document& document, const Choice& choice);
/// One that computes it, not yet added; its id and its label, numbered if need be, are no other's.
[[nodiscard]] AddedCandidate newCandidate(const Document& document, const Choice& choice,
                                          const std::string& label);
/// A further candidate on every tensor; returns its id. One that computes the same is ticked in
/// its place.
std::string addChoice(Document& document, const Choice& choice);
void removeAdded(Document& document, const std::string& candidate);

/// Sets the selected tensor's clip range, or its threshold: another row is there then, drawn and
/// with its card open. Under a symmetric scheme both ends go with the farther one. `isFinal` ends a
/// drag.
void setManualRange(Document& document, const Range& range, bool isFinal);
void setManualRange(Document& document, double threshold, bool isFinal);
/// The part of it that is a step.
void placeManualRange(Workbench& workbench, const std::string& tensor, const Range& range);
void clearManualRange(Document& document);
[[nodiscard]] std::optional<Range> manualRange(const Document& document);
/// Reference ranges of that file for some tensors, by their paths, in place of former ones.
void setImported(Document& document, const QMap<std::string, ImportedRange>& ranges);
/// The selected tensor has no imported range any more.
void clearImported(Document& document);
/// The manual range takes the scheme of that candidate; empty: of the chosen recipe's.
void setManualScheme(Document& document, const std::string& candidate);
/// Id of the candidate whose scheme the manual range takes on the selected tensor.
[[nodiscard]] std::string manualScheme(const Document& document);

/// A remedy of a layer, LAYER:REMEDY, is not to be written although it was chosen; or is again.
void setLeftOut(Document& document, const std::string& remedy, bool isLeftOut);
void setModelRun(Document& document, const ModelRun& run);

void setDisplay(Document& document, const PlotDisplay& display);
void setSecondary(Document& document, Secondary secondary);
void setQuantizedShown(Document& document, bool isShown);
/// The zoom of a page, for the selected tensor alone; `gesture` joins the changes of one drag.
void setZoom(Document& document, const QString& page, const Zoom& zoom,
             const QString& gesture = {});
[[nodiscard]] Zoom zoom(const Document& document, const QString& page);

}  // namespace calibscope::edits
