// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/compare/match_dialog.h"

#include "ui/document/compare_edits.h"
#include "ui/document/tensor_text.h"
#include "ui/theme/translate.h"
#include "ui/widgets/go_to_dialog.h"

#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

namespace calibscope {

namespace {

QString titleOf(const TensorInfo& tensor)
{
    return QString::fromStdString(tensor.name);
}

/// Shapes are distinguished but for the samples: another recording has others.
bool hasSameShape(const TensorInfo& one, const TensorInfo& other)
{
    if (one.shape.size() != other.shape.size())
        return false;
    for (std::size_t axis = 0; axis < one.shape.size(); ++axis)
        if (one.shape[axis] != other.shape[axis] && one.batchAxis != static_cast<int>(axis))
            return false;
    return true;
}

/// Who is looked for, and what is known of who may be meant.
struct Wanted
{
    const TensorInfo& tensor;
    int present = -1;  ///< its counterpart now
    std::function<bool(int)> isFree;
    std::function<void(const std::string& path)> choose;
};

/// The tensors that one may be matched with: of the same role and shape first, of these those
/// without a counterpart.
std::vector<Destination> partners(const std::vector<TensorInfo>& tensors, const Wanted& wanted)
{
    std::vector<std::pair<int, Destination>> ranked;
    for (std::size_t place = 0; place < tensors.size(); ++place) {
        const TensorInfo& tensor = tensors[place];
        if (tensor.isBeside)
            continue;
        const bool isPresent = static_cast<int>(place) == wanted.present;
        const bool isFree = wanted.isFree(static_cast<int>(place));
        const bool isSameRole = tensor.role == wanted.tensor.role;
        const bool isAlike = isSameRole && hasSameShape(tensor, wanted.tensor);
        const QString shape =
            isAlike ? tr("%1, same shape").arg(roleTitle(tensor.role)) : roleTitle(tensor.role);
        const int rank = (isAlike ? 0 : isSameRole ? 2 : 4) + (isFree ? 0 : 1);
        Destination destination{
            .text = titleOf(tensor),
            .kind = isPresent ? tr("%1, counterpart now").arg(shape)
                    : isFree  ? tr("%1, no counterpart yet").arg(shape)
                              : shape,
            .detail = shapeLabel(tensor),
            .isFirst = isAlike,
            .go = [choose = wanted.choose, path = tensor.path] { choose(path); }};
        ranked.emplace_back(rank, std::move(destination));
    }
    std::ranges::stable_sort(ranked, {}, &std::pair<int, Destination>::first);
    std::vector<Destination> destinations;
    for (auto& [rank, destination] : ranked)
        destinations.push_back(std::move(destination));
    return destinations;
}

void ask(const QString& title, std::vector<Destination> destinations, QWidget* parent)
{
    const GoToDialog::Words words{.title = title, .placeholder = tr("Search tensors")};
    (new GoToDialog(words, std::move(destinations), parent))->open();
}

}  // namespace

void askForMatch(Comparison& comparison, QWidget* parent)
{
    if (comparison.state() != Comparison::State::Ready)
        return;
    Document& document = comparison.document();
    if (comparison.lookedAtA() >= 0) {
        const TensorInfo& a =
            document.tensors().at(static_cast<std::size_t>(comparison.lookedAtA()));
        const Wanted wanted{
            .tensor = a,
            .present = comparison.lookedAtB(),
            .isFree = [&](int b) { return comparison.pairOfB(b) < 0; },
            .choose = [&document,
                       path = a.path](const std::string& b) { matchManually(document, path, b); }};
        return ask(tr("Counterpart of %1 in B").arg(titleOf(a)),
                   partners(comparison.tensors(), wanted), parent);
    }
    if (comparison.lookedAtB() < 0)
        return;
    const TensorInfo& b = comparison.tensors().at(static_cast<std::size_t>(comparison.lookedAtB()));
    const Wanted wanted{.tensor = b,
                        .present = -1,
                        .isFree = [&](int a) { return comparison.pairOfA(a) < 0; },
                        .choose = [&document, path = b.path](
                                      const std::string& a) { matchManually(document, a, path); }};
    ask(tr("Counterpart of %1 in A").arg(titleOf(b)), partners(document.tensors(), wanted), parent);
}

}  // namespace calibscope
