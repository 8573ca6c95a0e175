#include "ui/pages/compare/pair_texts.h"

#include "ui/document/tensor_text.h"
#include "ui/models/match_model.h"
#include "ui/plot/number_label.h"
#include "ui/theme/translate.h"

#include <algorithm>

namespace calibscope {

namespace {

QString nameOf(const TensorInfo& tensor)
{
    return QString::fromStdString(tensor.name);
}

/// A's scale under that calibrator; nothing where there is none.
std::optional<double> scaleOfA(const PairReader::Found& found, const std::string& label)
{
    const auto place = std::ranges::find(found.labels, label) - found.labels.begin();
    const std::vector<ChoiceComparison>& choices = found.both->comparison.choices;
    if (place >= std::ssize(choices))
        return std::nullopt;
    const Outcome& a = choices[static_cast<std::size_t>(place)].a;
    return a.problem.empty() && a.whole.quantizer.scale > 0.0
               ? std::optional(a.whole.quantizer.scale)
               : std::nullopt;
}

}  // namespace

PairTitle pairTitle(const Comparison& comparison)
{
    const int a = comparison.lookedAtA();
    const int b = comparison.lookedAtB();
    if (a < 0 && b < 0)
        return {.name = tr("No tensor is selected"), .facts = {}};
    if (a < 0) {
        const TensorInfo& tensor = comparison.tensors().at(static_cast<std::size_t>(b));
        return {.name = nameOf(tensor), .facts = tr("only in B   %1").arg(shapeLabel(tensor))};
    }
    const TensorInfo& tensor = comparison.session().tensors().at(static_cast<std::size_t>(a));
    if (b < 0)
        return {.name = nameOf(tensor), .facts = tr("only in A   %1").arg(shapeLabel(tensor))};
    const TensorInfo& other = comparison.tensors().at(static_cast<std::size_t>(b));
    const TensorPair& pair =
        comparison.matches().pairs.at(static_cast<std::size_t>(comparison.pairOfA(a)));
    QStringList facts;
    facts << tr("matched by %1").arg(matchRuleTitle(pair.rule));
    if (other.name != tensor.name)
        facts << tr("in B %1").arg(nameOf(other));
    facts << (pair.isSameShape
                  ? shapeLabel(tensor)
                  : tr("shapes differ: %1 and %2").arg(shapeLabel(tensor), shapeLabel(other)));
    return {.name = nameOf(tensor), .facts = facts.join(QStringLiteral("   "))};
}

QString driftSentence(const PairReader::Found& found, const std::string& recipeLabel)
{
    if (!found.both)
        return {};
    const std::optional<Drift>& drift = found.both->comparison.drift;
    if (!drift)
        return tr("No drift to tell: one of the recordings has no finite value.");
    if (drift->earthMover == 0.0 && drift->klDivergence == 0.0 && drift->maxRatio == 1.0)
        return tr("No drift: both recordings have the same distribution.");
    QString moved =
        tr("A value moved by ≈%1 on average, ≈%2 % of the largest magnitude")
            .arg(valueLabel(drift->earthMover), valueLabel(100.0 * drift->earthMoverShare, 3));
    if (const std::optional<double> scale = scaleOfA(found, recipeLabel))
        moved += tr(", ≈%1 steps of A's scale").arg(valueLabel(drift->earthMover / *scale, 3));
    return tr("%1. Largest magnitude ×%2. KL divergence ≈%3 nats.")
        .arg(moved, valueLabel(drift->maxRatio), valueLabel(drift->klDivergence, 3));
}

}  // namespace calibscope
