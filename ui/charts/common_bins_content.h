#pragma once

#include "core/compare/common_bins.h"
#include "ui/plot/plot_content.h"

namespace calibscope {

/// A tensor in two recordings, in bins that both have.
struct SharesMark
{
    SharesInCommonBins shares;
    Domain domain = Domain::Magnitude;
    double leastShare = 0.0;  ///< of one value in the longer recording
    QColor colorOfA;          ///< of its columns
    QColor colorOfB;          ///< of its outline
};

/// In whose bins both are: "bins of A, 0.0132 wide; B resampled, ≈".
[[nodiscard]] QString binsText(const SharesInCommonBins& shares);
/// "12.5 %" of 0.125.
[[nodiscard]] QString percentOf(double share);

/// What all plots of two recordings have in common: x, over the bins that both have.
class CommonBinsContent : public PlotContent
{
public:
    void setEmpty(const QString& reason);

    [[nodiscard]] bool isEmpty() const override { return m_mark.shares.bins() == 0; }
    [[nodiscard]] QString emptyText() const override { return m_reason; }
    [[nodiscard]] Range fullRange() const override;  ///< bins filled in one at least, and some room
    [[nodiscard]] QString xTitle() const override;
    [[nodiscard]] std::optional<LogX> logX() const override;
    [[nodiscard]] QString linearOnlyText() const override;
    [[nodiscard]] QString readout(double x, const PlotFrame& frame) const override;

protected:
    void setMark(SharesMark mark) { m_mark = std::move(mark); }
    [[nodiscard]] const SharesMark& mark() const { return m_mark; }
    [[nodiscard]] const SharesInCommonBins& shares() const { return m_mark.shares; }
    /// What is to be said of a bin behind where it is.
    [[nodiscard]] virtual QString binReadout(std::size_t bin) const = 0;
    [[nodiscard]] PlotTable tableOf(const Range& shown, std::vector<PlotColumn> columns) const;

private:
    [[nodiscard]] bool isFilled(std::size_t bin) const;

    SharesMark m_mark;
    QString m_reason;
};

}  // namespace calibscope
