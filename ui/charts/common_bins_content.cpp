#include "ui/charts/common_bins_content.h"

#include "ui/charts/bin_table.h"
#include "ui/plot/number_label.h"
#include "ui/theme/translate.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace calibscope {

QString binsText(const SharesInCommonBins& shares)
{
    const QString width = valueLabel(shares.width(), 3);
    if (shares.isResampledB)
        return tr("bins of A, %1 wide; B resampled into them, ≈").arg(width);
    if (shares.isResampledA)
        return tr("bins of B, %1 wide; A resampled into them, ≈").arg(width);
    return tr("the same bins in both, %1 wide").arg(width);
}

QString percentOf(double share)
{
    return valueLabel(100.0 * share, 3) + QStringLiteral(" %");
}

void CommonBinsContent::setEmpty(const QString& reason)
{
    setMark({});
    m_reason = reason;
}

bool CommonBinsContent::isFilled(std::size_t bin) const
{
    return shares().a[bin] > 0.0 || shares().b[bin] > 0.0;
}

Range CommonBinsContent::fullRange() const
{
    constexpr double padding = 0.015;
    std::size_t first = 0;
    std::size_t end = shares().bins();
    while (first + 1 < end && !isFilled(first))
        ++first;
    while (end > first + 1 && !isFilled(end - 1))
        --end;
    const bool startsAtZero = m_mark.domain == Domain::Magnitude;
    const Range filled{startsAtZero ? 0.0 : shares().edge(first), shares().edge(end)};
    const double left = startsAtZero ? padding / 3.0 : padding;
    return {filled.low - left * filled.width(), filled.high + padding * filled.width()};
}

QString CommonBinsContent::xTitle() const
{
    return m_mark.domain == Domain::Magnitude ? QStringLiteral("|x|") : QStringLiteral("x");
}

std::optional<LogX> CommonBinsContent::logX() const
{
    if (shares().bins() < 2 || shares().range.low < 0.0)
        return std::nullopt;
    constexpr double zeroShare = 0.06;  // of the axis, for the bin at 0
    std::size_t bin = 1;
    while (bin + 1 < shares().bins() && !isFilled(bin))
        ++bin;
    const double least = shares().edge(bin);
    const double decades = std::max(std::log10(shares().range.high / least), 1.0);
    return LogX{least / std::pow(10.0, zeroShare * decades), least};
}

QString CommonBinsContent::linearOnlyText() const
{
    return tr("Negative values have no logarithm: show magnitudes for a logarithmic axis.");
}

QString CommonBinsContent::readout(double x, const PlotFrame&) const
{
    if (!shares().range.contains(x))
        return xTitle() + u' ' + valueLabel(x) + tr("   no value here");
    const double place = (x - shares().range.low) / shares().range.width();
    const auto bin =
        std::min(static_cast<std::size_t>(place * static_cast<double>(shares().bins())),
                 shares().bins() - 1);
    return tr("%1 from %2 to %3")
               .arg(xTitle(), valueLabel(shares().edge(bin), 5),
                    valueLabel(shares().edge(bin + 1), 5)) +
           binReadout(bin);
}

PlotTable CommonBinsContent::tableOf(const Range& shown, std::vector<PlotColumn> columns) const
{
    return binTable([this](std::size_t bin) { return shares().edge(bin); }, shown,
                    std::move(columns));
}

}  // namespace calibscope
