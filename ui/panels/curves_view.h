// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/calibrators/entropy_trial.h"
#include "ui/document/document.h"
#include "ui/document/outcome_rows.h"
#include "ui/plot/plot_view.h"
#include "ui/queries/query.h"

#include <QString>
#include <QWidget>

#include <optional>

namespace calibscope {

/// Why a trial has the divergence that it has, in a line.
[[nodiscard]] QString ghostText(const EntropyTrial& trial);

class CurvePlot;
class SqnrPlot;
class ErrorPlot;
class ManualThreshold;
class HistogramPlot;
class PlotSplitter;
class KeptZoom;
class PlotView;
class ResultTable;
class Segments;

/// The selected tensor's histogram with the chosen thresholds, below it SQNR against the threshold,
/// the curves that led to the thresholds, the error that is left, or all three, and the table of
/// results.
///
/// Under the pointer on an objective's curve the histogram shows what a trial compares, on that of
/// SQNR what is clipped and what becomes of the rest; a click sets the threshold manually there.
class CurvesView : public QWidget
{
    Q_OBJECT

public:
    explicit CurvesView(Document& document, QWidget* parent = nullptr);

    enum class Lower { Sqnr, Curve, Error, All };
    void chooseLower(Lower lower);
    void showView();  ///< what was read of the tensor
    void showReading();
    [[nodiscard]] PlotView* currentPlot() const;
    [[nodiscard]] ResultTable& results() const { return *m_results; }
    [[nodiscard]] HistogramPlot& histogram() const { return *m_histogram; }
    [[nodiscard]] CurvePlot& curve() const { return *m_curve; }
    [[nodiscard]] SqnrPlot& sqnr() const { return *m_sqnr; }
    /// Of the trial or the threshold under the pointer, or what the plots show while it is on a
    /// row; empty: it is on none.
    [[nodiscard]] const QString& explanation() const
    {
        return m_explanation.isEmpty() ? m_pointed : m_explanation;
    }

Q_SIGNALS:
    void readoutChanged(const QString& text);
    /// Of what the pointer is on, see explanation().
    void explained(const QString& text);

protected:
    void changeEvent(QEvent* event) override;

private:
    void makePlots(PlotSplitter& splitter);
    void makeLower(PlotSplitter& splitter);
    void showLower();
    void showOutcomes();
    void showMarks();
    void showError();
    void showSqnr();
    void showThresholdGhost(std::optional<double> x);
    void explain(const QString& text);
    [[nodiscard]] const Histogram* histogramShown() const;

    void showGhost(std::optional<double> x);
    void setManualRange(double x);
    [[nodiscard]] std::optional<EntropyTrial> candidateAt(double x) const;
    [[nodiscard]] const OutcomeRow* ghostRow() const;
    [[nodiscard]] const OutcomeRow* shownRow() const;

    Document& m_document;
    HistogramPlot* m_histogram = nullptr;
    QString m_explanation;
    QString m_pointed;  ///< of a row or a card
    ManualThreshold* m_manual = nullptr;
    KeptZoom* m_zoom = nullptr;
    Segments* m_lower = nullptr;
    SqnrPlot* m_sqnr = nullptr;
    CurvePlot* m_curve = nullptr;
    ErrorPlot* m_error = nullptr;
    PlotStack m_stack;
    ResultTable* m_results = nullptr;
    ViewQuery::Shared m_shownView;  ///< what the histogram is of
    /// Subject of the line in the plot of SQNR.
    struct SqnrLine
    {
        ViewQuery::Shared view;
        Scheme scheme;
    };
    SqnrLine m_sqnrLine;
    Domain m_shownDomain = Domain::Magnitude;
};

}  // namespace calibscope
