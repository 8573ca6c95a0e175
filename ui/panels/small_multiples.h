// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/document/document.h"
#include "ui/document/outcome_rows.h"
#include "ui/plot/plot_view.h"
#include "ui/queries/query.h"

#include <QWidget>

#include <string>
#include <vector>

class QGridLayout;
class QLabel;
class QScrollArea;

namespace calibscope {

class HistogramPlot;
class KeptZoom;
class PlotView;

/// The ticked calibrators of the selected tensor side by side: the same histogram once for each,
/// with its clip range and what its quantizer makes of the values. A click chooses its card.
class SmallMultiples : public QWidget
{
    Q_OBJECT

public:
    explicit SmallMultiples(Document& document, QWidget* parent = nullptr);

    void showView();  ///< what was read of the tensor
    void showReading() { say(tr("Reading...")); }
    /// The panel that has the focus, else the first; nullptr while there is none.
    [[nodiscard]] PlotView* currentPlot() const;
    [[nodiscard]] const std::vector<HistogramPlot*>& panels() const { return m_shown; }

Q_SIGNALS:
    void readoutChanged(const QString& text);

protected:
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void showRows();
    void showTitles(const std::vector<OutcomeRow>& rows);
    void showPanel(HistogramPlot& panel, const OutcomeRow& row, const Histogram& histogram);
    void say(const QString& sentence);
    [[nodiscard]] HistogramPlot& panel(std::size_t place);
    [[nodiscard]] int columnCount() const;
    void place();
    void labelAxes();

    Document& m_document;
    QScrollArea* m_area;
    QLabel* m_sentence;
    QGridLayout* m_grid;
    std::vector<HistogramPlot*> m_panels;  ///< as many as were ever needed
    std::vector<HistogramPlot*> m_shown;
    std::vector<std::string> m_ids;  ///< of those that are shown
    PlotStack m_stack;
    KeptZoom* m_zoom = nullptr;
    ViewQuery::Shared m_shownView;  ///< what the histograms are of
    Domain m_shownDomain = Domain::Magnitude;
};

}  // namespace calibscope
