// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/stats/slice.h"
#include "ui/document/document.h"
#include "ui/document/outcome_rows.h"
#include "ui/plot/plot_view.h"
#include "ui/queries/query.h"

#include <QWidget>

#include <functional>
#include <map>
#include <vector>

class QStackedLayout;

namespace calibscope {

class PlotSplitter;
class BatchScrubber;
class CurvePlot;
class ElidedLabel;
class ErrorPlot;
class ElidedLabel;
class ManualThreshold;
class HeatPlot;
class HistogramPlot;
class LearningPlot;
class KeptZoom;
class PlotSwitch;
class PlotTableView;
class PlotView;

/// The plots of one tensor, stacked over one x axis: its histogram with the thresholds, which can
/// be moved, and below it one of what was searched, the error by bin, and its batches.
class BrowsePlots : public QWidget
{
    Q_OBJECT

public:
    explicit BrowsePlots(Document& document, QWidget* parent = nullptr);

    /// Everything of a tensor; a histogram that was shown before keeps its zoom.
    void showView(const ViewQuery::Shared& view);
    /// The first of its batches while all are read, or when that was stopped; `words`: what is
    /// going on.
    void showFirstBatch(const ViewQuery::Shared& batch, const QString& words);
    /// Its results or their display have changed.
    void showMarks();
    /// No tensor, and why: plots without data.
    void clear(const QString& reason);
    [[nodiscard]] HistogramPlot& histogram() const { return *m_histogram; }
    /// The plot that has the focus, else the histogram.
    [[nodiscard]] PlotView* currentPlot() const;
    /// Text for the place under the pointer; blank without one.
    [[nodiscard]] QString hoveredFacts() const;
    void focusThreshold();
    void focusBatches();
    /// Why that plot is not offered, as a sentence; blank: it is.
    [[nodiscard]] QString reasonAgainst(Secondary secondary) const;
    /// Of the bin under the pointer, or of the last one that has values.
    void showWhereValuesLie();

Q_SIGNALS:
    void readoutChanged(const QString& text);
    /// The first so many batches are to be looked at; nothing: all.
    void batchesChosen(std::optional<quint64> batches, bool isFinal);
    /// These are to be shown in the tensor; `words` say which.
    void valuesWanted(const calibscope::MarkedValues& marked, const QString& words);

protected:
    void changeEvent(QEvent* event) override;

private:
    using Rows = std::vector<OutcomeRow>;
    /// One of the plots below the histogram, and what it shows of the rows.
    struct LowerPart
    {
        QWidget* widget;
        PlotView* plot;
        std::function<void()> clear;
        std::function<bool()> isEmpty;
        std::function<void(const Rows&)> show;
    };

    [[nodiscard]] QWidget* makeLowerPart();
    /// `widget`: the plot and what stands around it.
    template <typename Plot>
    void addLowerPlot(Secondary which, Plot& plot, QWidget& widget,
                      std::function<void(const Rows&)> show);
    [[nodiscard]] QWidget* makeBatches(QWidget* lower);
    void applyDisplay();
    void endFirstBatch();
    void connectPlots();
    void showSwitches();
    /// The plot that the user asked for, if it is offered, else another one.
    [[nodiscard]] Secondary offered() const;
    /// Unless the plot below labels the axis that both share.
    void labelHistogram(bool isLowerEmpty);
    void showQuantized(const OutcomeRow* row);
    void showSecondary(const Rows& rows);
    void showCurves(const Rows& rows);
    void showError(const OutcomeRow* row);
    void showBatches(const Rows& rows);
    void showSamples(const Rows& rows);
    [[nodiscard]] const Histogram* shownHistogram() const;
    void showWhere(std::optional<double> x);

    Document& m_document;
    PlotSplitter* m_splitter;
    HistogramPlot* m_histogram;
    CurvePlot* m_curve = nullptr;
    ErrorPlot* m_error = nullptr;
    HeatPlot* m_heat = nullptr;
    LearningPlot* m_learning = nullptr;
    ElidedLabel* m_answer = nullptr;  ///< whether samples are enough, above it
    BatchScrubber* m_scrubber = nullptr;
    std::map<Secondary, LowerPart> m_lower;
    QStackedLayout* m_secondary = nullptr;
    PlotSwitch* m_switch = nullptr;
    PlotTableView* m_table;
    PlotStack m_stack;
    ManualThreshold* m_manual = nullptr;
    ElidedLabel* m_signs = nullptr;  ///< legend of the rug
    KeptZoom* m_zoom;
    bool m_isClear = false;          ///< nothing is shown, but perhaps a reason
    ViewQuery::Shared m_view;        ///< shown, perhaps longer than the query holds it
    std::string m_path;              ///< of its tensor
    ViewQuery::Shared m_firstBatch;  ///< shown while there is no view
    PlotDisplay m_firstDisplay;      ///< its own
    Domain m_domain = Domain::Magnitude;
    std::optional<double> m_pointed;  ///< place of the pointer over the histogram
};

}  // namespace calibscope
