#include "ui/pages/compare/match_dialog.h"

#include "ui/document/compare_edits.h"
#include "ui/document/tensor_text.h"
#include "ui/theme/translate.h"
#include "ui/widgets/go_to_dialog.h"

#include <algorithm>
#include <functional>

namespace calibscope {

namespace {

QString titleOf(const TensorInfo& tensor)
{
    return QString::fromStdString(tensor.name);
}

/// The tensors that one may be matched with, those without a counterpart first.
std::vector<Destination> partners(const std::vector<TensorInfo>& tensors,
                                  const std::function<bool(int)>& isFree,
                                  const std::function<void(const std::string& path)>& choose)
{
    std::vector<Destination> destinations;
    for (std::size_t place = 0; place < tensors.size(); ++place) {
        if (tensors[place].isBeside)
            continue;
        const bool isFirst = isFree(static_cast<int>(place));
        destinations.push_back(
            {.text = titleOf(tensors[place]),
             .kind = isFirst ? tr("no counterpart yet") : roleTitle(tensors[place].role),
             .detail = shapeLabel(tensors[place]),
             .isFirst = isFirst,
             .go = [choose, path = tensors[place].path] { choose(path); }});
    }
    std::stable_partition(destinations.begin(), destinations.end(),
                          std::mem_fn(&Destination::isFirst));
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
        const auto isFree = [&](int b) { return comparison.pairOfB(b) < 0; };
        const auto match = [&document, path = a.path](const std::string& b) {
            matchManually(document, path, b);
        };
        return ask(tr("Counterpart of %1 in B").arg(titleOf(a)),
                   partners(comparison.tensors(), isFree, match), parent);
    }
    if (comparison.lookedAtB() < 0)
        return;
    const TensorInfo& b = comparison.tensors().at(static_cast<std::size_t>(comparison.lookedAtB()));
    const auto isFree = [&](int a) { return comparison.pairOfA(a) < 0; };
    const auto match = [&document, path = b.path](const std::string& a) {
        matchManually(document, a, path);
    };
    ask(tr("Counterpart of %1 in A").arg(titleOf(b)), partners(document.tensors(), isFree, match),
        parent);
}

}  // namespace calibscope
