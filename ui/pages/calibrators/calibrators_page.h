// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/document/document.h"

#include <QWidget>

class QStackedLayout;

namespace calibscope {

class CurvesView;
class ExplainView;
class MatrixView;
class PlotView;
class Segments;
class SmallMultiples;
class StateNotice;
class DiagnosisStrip;
class TensorHeader;

/// The calibrators of a tensor side by side: thresholds, objectives and errors, the table of
/// results.
class CalibratorsPage : public QWidget
{
    Q_OBJECT

public:
    enum class View { Curves, SideBySide, AllTensors, Explain };

    explicit CalibratorsPage(Document& document, QWidget* parent = nullptr);

    /// The plot that zooming, copying and exporting act on; nullptr while none is shown.
    [[nodiscard]] PlotView* currentPlot() const;
    [[nodiscard]] CurvesView& curves() const { return *m_curves; }
    [[nodiscard]] SmallMultiples& sideBySide() const { return *m_sideBySide; }
    [[nodiscard]] MatrixView& matrix() const { return *m_matrix; }
    [[nodiscard]] ExplainView& explanation() const { return *m_explain; }
    void showView(View view);
    [[nodiscard]] const StateNotice& notice() const { return *m_notice; }

Q_SIGNALS:
    /// Readout under the pointer; empty when it has left.
    void readoutChanged(const QString& text);

protected:
    void showEvent(QShowEvent* event) override;

private:
    [[nodiscard]] QWidget* makeHeader();
    [[nodiscard]] View shownView() const;
    void showState();
    void showTensor();
    void goTo(int tensor, const std::string& label);

    Document& m_document;
    CurvesView* m_curves;
    SmallMultiples* m_sideBySide;
    MatrixView* m_matrix;
    ExplainView* m_explain;
    StateNotice* m_notice;
    Segments* m_views;
    TensorHeader* m_header;
    DiagnosisStrip* m_diagnosis = nullptr;
    QStackedLayout* m_stack;
};

}  // namespace calibscope
