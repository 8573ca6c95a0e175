#pragma once

#include "ui/session.h"

#include <QWidget>

class QStackedLayout;
class QTimer;

namespace calibscope {

class CurvePlot;
class ElidedLabel;
class HistogramPlot;
class LayoutStrip;
class PlotView;
class StateNotice;
class UnderstandingEditor;

/// One tensor: its histogram with the chosen thresholds, and under it the curves that led to them.
class BrowsePage : public QWidget
{
    Q_OBJECT

public:
    explicit BrowsePage(Session& session, QWidget* parent = nullptr);

    void editUnderstanding();
    void fit();  ///< shows all of the histogram
    /// What zooming, copying and exporting act on.
    [[nodiscard]] PlotView* currentPlot() const;
    [[nodiscard]] const HistogramPlot& histogram() const { return *m_histogram; }
    [[nodiscard]] const StateNotice& notice() const { return *m_notice; }
    [[nodiscard]] bool showsPlots() const;

Q_SIGNALS:
    /// What is under the pointer; empty when it has left.
    void readoutChanged(const QString& text);

protected:
    void changeEvent(QEvent* event) override;

private:
    [[nodiscard]] QWidget* makeHeader();
    [[nodiscard]] QWidget* makePlots();
    void showSelection();
    void showState();
    void showView(const serve::TensorView& view);
    void showMarks();
    void showReading();
    void say(const QString& title, const QString& sentence, const QString& button = {});

    Session& m_session;
    ElidedLabel* m_name = nullptr;
    ElidedLabel* m_facts = nullptr;
    HistogramPlot* m_histogram = nullptr;
    CurvePlot* m_curve = nullptr;
    LayoutStrip* m_strip = nullptr;
    UnderstandingEditor* m_editor = nullptr;
    StateNotice* m_notice = nullptr;
    QStackedLayout* m_stack = nullptr;
    QTimer* m_patience = nullptr;  ///< how long the former tensor's plots may stay
    QWidget* m_plots = nullptr;
    const serve::TensorView* m_shownView = nullptr;  ///< what the histogram is of
    Domain m_shownDomain = Domain::Magnitude;
};

}  // namespace calibscope
