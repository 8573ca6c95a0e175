// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/drift_facts.h"

#include "core/compare/comparison.h"
#include "ui/plot/number_label.h"
#include "ui/theme/translate.h"

#include <QStringList>

namespace calibscope {

std::optional<double> movedSteps(const DriftRow& row)
{
    const DriftCell* cell = row.recipeCell();
    return row.drift && cell && cell->scaleOfA > 0.0
               ? std::optional(row.drift->earthMover / cell->scaleOfA)
               : std::nullopt;
}

bool hasNoDrift(const DriftRow& row)
{
    return row.drift && oddValuesOfOne(row.a, row.b).empty() && row.drift->earthMover == 0.0 &&
           row.drift->klDivergence == 0.0 && row.drift->maxRatio == 1.0;
}

bool hasDrifted(const DriftRow& row)
{
    return row.problem.isEmpty() &&
           (hasLostValues(row.a, row.b) || (row.drift && !hasNoDrift(row)));
}

QString oddValuesSentence(const Extents& a, const Extents& b)
{
    if (oddValuesOfOne(a, b).empty())
        return {};
    if (hasLostValues(a, b))
        return a.finite == 0 ? tr("A has no finite value.") : tr("B has no finite value.");
    const bool isOfA = a.nan + a.infinite() > 0;
    const Extents& odd = isOfA ? a : b;
    QStringList parts;
    if (odd.nan > 0)
        parts << tr("%1 NaN").arg(countLabel(odd.nan));
    if (odd.infinite() > 0)
        parts << countText(odd.infinite(), tr("1 infinite value"), tr("%1 infinite values"));
    const QString sentence = isOfA ? tr("A has %1, B none.") : tr("B has %1, A none.");
    return sentence.arg(parts.join(tr(" and ")));
}

}  // namespace calibscope
