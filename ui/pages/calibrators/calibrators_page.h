// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/document/document.h"
#include "ui/widgets/workspace_page.h"

#include <optional>
#include <vector>

class QStackedWidget;

namespace calibscope {

class CurvesView;
class ExplainView;
class FormatsView;
class MatrixView;
class Segments;
class SmallMultiples;
class DiagnosisStrip;
class TensorHeader;

/// The calibrators of a tensor side by side: thresholds, objectives and errors, the table of
/// results.
class CalibratorsPage : public WorkspacePage
{
    Q_OBJECT

public:
    enum class View { Curves, SideBySide, AllTensors, Explain, Formats };

    explicit CalibratorsPage(Document& document, QWidget* parent = nullptr);

    /// Of all tensors those that the list's filter lets through; nothing: there is none.
    void setListed(std::optional<std::vector<int>> listed);
    [[nodiscard]] PlotView* currentPlot() const override;
    [[nodiscard]] CurvesView& curves() const { return *m_curves; }
    [[nodiscard]] SmallMultiples& sideBySide() const { return *m_sideBySide; }
    [[nodiscard]] MatrixView& matrix() const { return *m_matrix; }
    [[nodiscard]] ExplainView& explanation() const { return *m_explain; }
    [[nodiscard]] FormatsView& formats() const { return *m_formats; }
    [[nodiscard]] View shownView() const;
    void showView(View view);

protected:
    void showEvent(QShowEvent* event) override;

private:
    [[nodiscard]] QWidget* makeHeader();
    void showState();
    [[nodiscard]] bool saysReaderState();
    void showPart(QWidget* part);
    void showTensor();
    void goTo(int tensor, const std::string& label);

    Document& m_document;
    CurvesView* m_curves;
    SmallMultiples* m_sideBySide;
    MatrixView* m_matrix;
    ExplainView* m_explain;
    FormatsView* m_formats;
    Segments* m_views;
    TensorHeader* m_header;
    QWidget* m_neighbours = nullptr;  ///< of the tensor
    DiagnosisStrip* m_diagnosis = nullptr;
    QStackedWidget* m_stack;
};

}  // namespace calibscope
