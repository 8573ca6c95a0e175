#include "ui/models/ghost_text.h"

#include "ui/plot/number_label.h"
#include "ui/theme/translate.h"

#include <cmath>
#include <numeric>

namespace calibscope {

namespace {

/// "12 values (0.3 %) lie beyond": in P they are in the last bin.
QString beyondText(const EntropyTrial& trial)
{
    if (trial.beyond == 0.0)
        return tr("nothing lies beyond");
    const double all = std::accumulate(trial.truncated.begin(), trial.truncated.end(), 0.0);
    const QString count = countLabel(static_cast<std::uint64_t>(trial.beyond));
    const QString share = valueLabel(100.0 * trial.beyond / all, 2);
    if (trial.isSigned)
        return tr("%1 values (%2 %) outside are in the end bins of P, not in Q").arg(count, share);
    return (trial.hasOutliersInQ ? tr("%1 values (%2 %) beyond are in the last bin of P and of Q")
                                 : tr("%1 values (%2 %) beyond are in the last bin of P, not in Q"))
        .arg(count, share);
}

QString divergenceText(const EntropyTrial& trial)
{
    const QString name = trial.isCoarseFirst ? tr("KL(Q‖P)") : tr("KL(P‖Q)");
    if (std::isinf(trial.divergence))
        return tr("%1 is infinite: one is empty where the other is not").arg(name);
    const QString value = tr("%1 = %2 nats").arg(name, valueLabel(trial.divergence));
    constexpr double worthTelling = 0.01;
    return std::abs(trial.ofLastBin) < worthTelling * trial.divergence
               ? value
               : tr("%1, %2 of them from the last bin").arg(value, valueLabel(trial.ofLastBin, 3));
}

}  // namespace

QString ghostText(const EntropyTrial& trial)
{
    const QString place =
        trial.isSigned
            ? tr("%1 to %2").arg(valueLabel(trial.edges.front()), valueLabel(trial.edges.back()))
            : valueLabel(trial.threshold);
    return tr("Cut at %1: %2 bins in %3 levels, %4. %5.")
        .arg(place, countLabel(trial.truncated.size()), countLabel(trial.levels), beyondText(trial),
             divergenceText(trial));
}

}  // namespace calibscope
