// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/decisions.h"

#include "ui/document/edits.h"

#include "ui/document/outcome_rows.h"
#include "ui/document/previews.h"
#include "ui/plot/number_label.h"
#include "ui/theme/translate.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

namespace calibscope {

namespace {

const TensorInfo& tensorAt(const Document& document, int tensor)
{
    return document.tensors().at(static_cast<std::size_t>(tensor));
}

using DecisionFor = std::function<std::optional<Decision>(int tensor)>;

Accepted acceptAll(Document& document, const QString& text, const std::vector<int>& tensors,
                   const std::string& remark, const DecisionFor& decisionFor,
                   const std::vector<AddedCandidate>& added = {})
{
    Accepted count;
    document.change(text, [&](Workbench& workbench) {
        workbench.added.insert(workbench.added.end(), added.begin(), added.end());
        for (const int tensor : tensors) {
            std::optional<Decision> decision =
                notDecidableText(document, tensor).isEmpty() ? decisionFor(tensor) : std::nullopt;
            if (!decision) {
                ++count.skipped;
                continue;
            }
            const std::string& path = tensorAt(document, tensor).path;
            const Decision former = workbench.decisions.value(path);
            if (!remark.empty())
                decision->remark = remark;
            else if (former.id == decision->id)
                decision->remark = former.remark;  // of another one it gave the reason
            workbench.decisions.insert(path, *std::move(decision));
            ++count.accepted;
        }
    });
    return count;
}

/// What that candidate computes on a tensor now; nothing: the tensor has no such candidate.
std::optional<Decision> decisionOn(const Document& document, int tensor,
                                   const std::string& candidate)
{
    for (const OutcomeRow& row : rowsOf(document, tensor))
        if (row.candidate.id == candidate)
            return Decision{.id = candidate,
                            .label = row.candidate.label,
                            .choice = row.candidate.choice,
                            .remark = {}};
    return std::nullopt;
}

}  // namespace

Accepted acceptCandidate(Document& document, const std::vector<int>& tensors,
                         const std::string& candidate, const std::string& remark)
{
    const QString step = tr("Accept %1").arg(edits::labelOf(document, candidate));
    return acceptAll(document, edits::stepOn(document, step, tensors), tensors, remark,
                     [&](int tensor) { return decisionOn(document, tensor, candidate); });
}

void acceptChoice(Document& document, const Choice& choice, const std::string& label)
{
    if (const std::string same = edits::candidateOf(document, choice); !same.empty())
        return (void)acceptCandidate(document, {document.selected()}, same);
    const AddedCandidate added = edits::newCandidate(document, choice, label);
    const QString step = tr("Accept %1").arg(QString::fromStdString(added.label));
    (void)acceptAll(
        document, edits::stepOn(document, step, {document.selected()}), {document.selected()}, {},
        [&added](int) {
            return Decision{
                .id = added.id, .label = added.label, .choice = added.choice, .remark = {}};
        },
        {added});
}

Accepted acceptEach(Document& document, const std::vector<CandidateFor>& wanted,
                    const QString& text)
{
    std::vector<int> tensors;
    for (const CandidateFor& one : wanted)
        tensors.push_back(one.tensor);
    // Layers may share an operand.
    std::ranges::sort(tensors);
    tensors.erase(std::ranges::unique(tensors).begin(), tensors.end());
    return acceptAll(document, text, tensors, {}, [&](int tensor) -> std::optional<Decision> {
        const auto found = std::ranges::find(wanted, tensor, &CandidateFor::tensor);
        return decisionOn(document, tensor, found->candidate);
    });
}

Accepted acceptRecipe(Document& document, const std::vector<int>& tensors,
                      const std::string& remark)
{
    const Recipe& recipe = document.chosenRecipe();
    const QString step = tr("Accept as %1 chooses").arg(QString::fromStdString(recipe.title));
    return acceptAll(
        document, edits::stepOn(document, step, tensors), tensors, remark,
        [&](int tensor) -> std::optional<Decision> {
            std::optional<Choice> choice = recipesChoice(document, tensor);
            if (!choice)
                return std::nullopt;
            const std::vector<OutcomeRow> rows = rowsOf(document, tensor);
            const auto row = std::ranges::find(rows, true, &OutcomeRow::isChosenRecipes);
            const CandidateName name =
                row == rows.end()
                    ? CandidateName{.id = choiceId(*choice), .label = shortLabel(*choice)}
                    : row->candidate.name();
            return Decision{
                .id = name.id, .label = name.label, .choice = *std::move(choice), .remark = {}};
        });
}

void acceptPrecision(Document& document, const std::vector<int>& inBits, int bits,
                     const std::vector<int>& inFloat)
{
    document.change(tr("Accept precisions"), [&](Workbench& workbench) {
        for (const int tensor : inFloat)
            workbench.decisions.remove(tensorAt(document, tensor).path);
        for (const int tensor : inBits) {
            const auto decision = workbench.decisions.find(tensorAt(document, tensor).path);
            if (decision == workbench.decisions.end())
                continue;
            Choice choice = decision->choice;
            choice.scheme.bits = bits;
            choice.settings = choice.settings.with("bits", std::to_string(bits));
            *decision = {.id = choiceId(choice),
                         .label = shortLabel(choice),
                         .choice = choice,
                         .remark = decision->remark};
        }
    });
}

void clearDecisions(Document& document, const std::vector<int>& tensors)
{
    document.change(edits::stepOn(document, tr("Clear decision"), tensors),
                    [&](Workbench& workbench) {
                        for (const int tensor : tensors)
                            workbench.decisions.remove(tensorAt(document, tensor).path);
                    });
}

void setRemark(Document& document, int tensor, const std::string& remark)
{
    const std::string& path = tensorAt(document, tensor).path;
    document.change(
        edits::stepOn(document, tr("Remark"), {tensor}),
        [&](Workbench& workbench) {
            if (const auto found = workbench.decisions.find(path);
                found != workbench.decisions.end())
                found->remark = remark;
        },
        "remark " + QString::fromStdString(path));
}

const Decision* decisionOf(const Document& document, int tensor)
{
    const QMap<std::string, Decision>& decisions = document.workbench().decisions;
    const auto found = decisions.find(tensorAt(document, tensor).path);
    return found == decisions.end() ? nullptr : &*found;
}

/// Recipes are for no integers: they are indices, counts, or quantized already. The scale of a bias
/// follows from those of its layer.
bool isDecidable(const TensorInfo& tensor)
{
    return tensor.isReadable() && !tensor.holdsIntegers() && tensor.role != Role::Bias;
}

QString notDecidableText(const Document& document, int index)
{
    const TensorInfo& tensor = tensorAt(document, index);
    if (!tensor.isReadable())
        return tr("It can't be read.");
    const protocol::Preview* preview = document.previews().of(index);
    if (preview != nullptr &&
        std::ranges::count(preview->findings, FindingKind::Empty, &TensorFinding::kind) > 0)
        return tr("No finite value: no scale to choose.");
    if (isDecidable(tensor))
        return {};
    return tensor.holdsIntegers() ? tr("Integers: recipes choose no scale for them.")
                                  : tr("A bias: its scale follows from those of its layer.");
}

std::size_t decidedCount(const Document& document)
{
    const QMap<std::string, Decision>& decisions = document.workbench().decisions;
    if (decisions.isEmpty())
        return 0;
    return static_cast<std::size_t>(
        std::ranges::count_if(document.tensors(), [&decisions](const TensorInfo& tensor) {
            return decisions.contains(tensor.path);
        }));
}

std::vector<std::string> lostDecisions(const Document& document)
{
    std::set<std::string_view> paths;
    for (const TensorInfo& tensor : document.tensors())
        paths.insert(tensor.path);
    std::vector<std::string> lost;
    for (const auto& [path, decision] : document.workbench().decisions.asKeyValueRange())
        if (!paths.contains(path))
            lost.push_back(path);
    return lost;
}

std::size_t decidableCount(const Document& document)
{
    return static_cast<std::size_t>(std::ranges::count_if(document.tensors(), isDecidable));
}

std::vector<int> undecidedTensors(const Document& document)
{
    std::vector<int> open;
    for (int tensor = 0; tensor < std::ssize(document.tensors()); ++tensor)
        if (isDecidable(tensorAt(document, tensor)) && !decisionOf(document, tensor))
            open.push_back(tensor);
    return open;
}

bool isLeftOutByRecipe(const Document& document, int tensor)
{
    return isDecidable(tensorAt(document, tensor)) && !recipesChoice(document, tensor);
}

QString leftOutSentence(const Document& document, const std::vector<int>& leftOut)
{
    if (leftOut.empty())
        return {};
    const auto are = [&](Role role) {
        return std::ranges::all_of(
            leftOut, [&](int tensor) { return tensorAt(document, tensor).role == role; });
    };
    return are(Role::Activation)
               ? countText(leftOut.size(), tr("1 activation is not covered by this recipe."),
                           tr("%1 activations are not covered by this recipe."))
           : are(Role::Weight)
               ? countText(leftOut.size(), tr("1 weight is not covered by this recipe."),
                           tr("%1 weights are not covered by this recipe."))
               : countText(leftOut.size(), tr("1 tensor is not covered by this recipe."),
                           tr("%1 tensors are not covered by this recipe."));
}

}  // namespace calibscope
