#include "ui/models/ghost_text.h"

#include "ui/plot/number_label.h"

#include <QCoreApplication>

#include <cmath>
#include <numeric>

namespace calibscope {

namespace {

QString tr(const char* text)
{
    return QCoreApplication::translate("GhostText", text);
}

/// "12 values (0.3 %) lie beyond": in P they are in the last bin.
QString beyondText(const EntropyCandidate& candidate)
{
    if (candidate.beyond == 0.0)
        return tr("nothing lies beyond");
    const double all = std::accumulate(candidate.truncated.begin(), candidate.truncated.end(), 0.0);
    const QString count = countLabel(static_cast<std::uint64_t>(candidate.beyond));
    const QString share = valueLabel(100.0 * candidate.beyond / all, 2);
    if (candidate.isSigned)
        return tr("%1 values (%2 %) outside are in the end bins of P, not in Q").arg(count, share);
    return (candidate.hasOutliersInQ
                ? tr("%1 values (%2 %) beyond are in the last bin of P and of Q")
                : tr("%1 values (%2 %) beyond are in the last bin of P, not in Q"))
        .arg(count, share);
}

QString divergenceText(const EntropyCandidate& candidate)
{
    const QString name = candidate.isCoarseFirst ? tr("KL(Q‖P)") : tr("KL(P‖Q)");
    if (std::isinf(candidate.divergence))
        return tr("%1 is infinite: one is empty where the other is not").arg(name);
    const QString value = tr("%1 = %2 nats").arg(name, valueLabel(candidate.divergence));
    constexpr double worthTelling = 0.01;
    return std::abs(candidate.ofLastBin) < worthTelling * candidate.divergence
               ? value
               : tr("%1, %2 of them from the last bin")
                     .arg(value, valueLabel(candidate.ofLastBin, 3));
}

}  // namespace

QString ghostText(const EntropyCandidate& candidate)
{
    const QString place = candidate.isSigned ? tr("%1 to %2")
                                                   .arg(valueLabel(candidate.edges.front()),
                                                        valueLabel(candidate.edges.back()))
                                             : valueLabel(candidate.threshold);
    return tr("Cut at %1: %2 bins in %3 levels, %4. %5.")
        .arg(place, countLabel(candidate.truncated.size()), countLabel(candidate.levels),
             beyondText(candidate), divergenceText(candidate));
}

}  // namespace calibscope
