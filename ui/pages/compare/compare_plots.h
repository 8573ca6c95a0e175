// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/histogram_content.h"
#include "ui/charts/shares_content.h"
#include "ui/document/workbench.h"
#include "ui/models/candidate_style.h"
#include "ui/plot/plot_view.h"
#include "ui/queries/pair_reader.h"
#include "ui/widgets/plot_splitter.h"

#include <optional>
#include <string>
#include <vector>

class QStackedWidget;

namespace calibscope {

/// A tensor's values in two dumps: over each other, side by side or as a difference, and below, on
/// the same x axis, what B has more or less of.
class ComparePlots : public PlotSplitter
{
    Q_OBJECT

public:
    explicit ComparePlots(QWidget* parent = nullptr);

    struct Look
    {
        PlotDisplay display;
        CompareMode mode = CompareMode::Overlay;
        CandidateName standing;  ///< whose thresholds are drawn; empty: none
    };
    /// Of both dumps, or of one. Returns whether other values are shown than before: all of x is
    /// shown then.
    bool show(const PairReader::Found& found, const Look& look);
    /// Nothing to show, and why, as a sentence.
    void clear(const QString& reason);
    [[nodiscard]] PlotView* currentPlot() const;  ///< the one that has the focus, else the upper

    /// The one whose zoom the others follow along x.
    [[nodiscard]] PlotView& zoomedPlot() const { return *m_overlay; }
    [[nodiscard]] const ContentPlot<SharesContent>& overlay() const { return *m_overlay; }
    [[nodiscard]] const HistogramPlot& sideOfA() const { return *m_sideA; }
    [[nodiscard]] const HistogramPlot& sideOfB() const { return *m_sideB; }
    [[nodiscard]] const ContentPlot<ChangeContent>& difference() const { return *m_difference; }
    [[nodiscard]] const ContentPlot<ChangeContent>& lower() const { return *m_lower; }

Q_SIGNALS:
    void readoutChanged(const QString& text);

private:
    [[nodiscard]] std::vector<PlotView*> plots() const;
    void clearAll(const QString& reason);
    void showOne(const protocol::TensorView& view, ComparedSide recording, const Look& look);
    void showBoth(const PairReader::Found& found, const Look& look);
    void showSides(const PairReader::Found& found, const Look& look);
    void showShares(SharesMark mark, const PairReader::Found& found, const Look& look);
    void fillSide(HistogramPlot& plot, const protocol::TensorView& view, const Look& look,
                  std::vector<ThresholdMark> thresholds);
    [[nodiscard]] std::vector<ThresholdMark>
    thresholds(const PairReader::Found& found, const Look& look,
               std::optional<ComparedSide> own = std::nullopt) const;

    QStackedWidget* m_upper;
    ContentPlot<SharesContent>* m_overlay;
    PlotSplitter* m_sides;
    HistogramPlot* m_sideA;
    HistogramPlot* m_sideB;
    ContentPlot<ChangeContent>* m_difference;
    ContentPlot<ChangeContent>* m_lower;
    std::string m_shown;   ///< paths of what is shown: other data is shown whole
    bool m_isAnew = true;  ///< while it is being shown
    bool m_areSidesFilled = false;
};

}  // namespace calibscope
