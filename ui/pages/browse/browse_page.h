// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/stats/slice.h"
#include "ui/document/document.h"
#include "ui/pages/browse/reading_words.h"
#include "ui/widgets/workspace_page.h"

#include <QElapsedTimer>

class QTimer;

namespace calibscope {

class BrowsePlots;
class HistogramPlot;
class LayoutStrip;
class MessageBar;
class TensorHeader;
class LayoutOverrideEditor;

/// One tensor: its histogram with the chosen thresholds, and under it how they were found, what
/// they cost, or how the batches differ. Or why there is none of it.
class BrowsePage : public WorkspacePage
{
    Q_OBJECT

public:
    explicit BrowsePage(Document& document, QWidget* parent = nullptr);

    void editLayoutOverride();
    void fit();  ///< shows all of the histogram
    [[nodiscard]] PlotView* currentPlot() const override;
    /// Copies what is said of the place under the pointer, else what is shown as numbers.
    void copyFacts() const;
    void focusThreshold();
    void focusChannel();
    void focusBatches();
    /// Why that plot below the histogram is not offered, as a sentence; blank: it is.
    [[nodiscard]] QString reasonAgainst(Secondary secondary) const;
    /// Asks for the values of the bin under the pointer, or of the last one that has any.
    void showWhereValuesLie();
    [[nodiscard]] const HistogramPlot& histogram() const;
    [[nodiscard]] const MessageBar& stoppedBar() const { return *m_stopped; }

Q_SIGNALS:
    /// These are to be shown in the tensor; `words` say which.
    void valuesWanted(const calibscope::MarkedValues& marked, const QString& words);

private:
    void connectDocument();
    void showSelection();
    void showState();
    void showMarks();
    void follow(double share);
    void showReading();
    void followReader();
    void showStopped();
    void sayInstead(const QString& title, const QString& sentence, const QString& button = {});

    Document& m_document;
    TensorHeader* m_header;
    LayoutStrip* m_strip;
    LayoutOverrideEditor* m_editor;
    BrowsePlots* m_plots;
    MessageBar* m_stopped;  ///< over the first batch
    QTimer* m_patience;     ///< how long the former tensor's plots may stay
    ReadingWords m_words;
    QElapsedTimer m_readingFor;
};

}  // namespace calibscope
