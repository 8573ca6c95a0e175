// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/document/comparison.h"
#include "ui/pages/compare/compare_plots.h"
#include "ui/pages/compare/compare_tables.h"
#include "ui/widgets/workspace_page.h"

#include <QString>

class QLabel;

namespace calibscope {

/// The pair on screen, in a line.
struct PairTitle
{
    QString name;
    QString facts;
};
[[nodiscard]] PairTitle pairTitle(const Comparison& comparison);

/// Cost of A's scale, of that candidate, to B's values: "A's scale (min-max) costs B 35.6 dB: SQNR
/// 12.3 in place of 47.9 dB."; empty where it is not known.
[[nodiscard]] QString costSentence(const PairReader::Found& found, const CandidateName& standing);
/// How far a tensor has drifted, in numbers and units; blank without both recordings.
/// `standing`: the candidate whose scale of A is the step.
[[nodiscard]] QString driftSentence(const PairReader::Found& found, const CandidateName& standing);

class CompareHeader;
class KeptZoom;
class TensorTitle;

/// A tensor of the open dump beside its counterpart in a second one: histograms, what B has more or
/// less of, statistics, and what A's scales do to B's values.
class ComparePage : public WorkspacePage
{
    Q_OBJECT

public:
    explicit ComparePage(Comparison& comparison, QWidget* parent = nullptr);

    [[nodiscard]] PlotView* currentPlot() const override { return m_plots->currentPlot(); }
    [[nodiscard]] const ComparePlots& plots() const { return *m_plots; }
    [[nodiscard]] const CompareTables& tables() const { return *m_tables; }
    [[nodiscard]] const CompareHeader& header() const { return *m_header; }
    [[nodiscard]] QString driftText() const;

Q_SIGNALS:
    /// The user wants to choose a second dump.
    void openRequested();
    void swapRequested();

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;
    void recolor() override;

private:
    [[nodiscard]] QWidget* makeBody();
    void showState();
    void sayWhyNot();
    void showTensor();
    void showFound();
    void press(bool isSecond);
    [[nodiscard]] CandidateName standing() const;

    Comparison& m_comparison;
    CompareHeader* m_header = nullptr;
    TensorTitle* m_title = nullptr;
    QLabel* m_drift = nullptr;
    ComparePlots* m_plots = nullptr;
    CompareTables* m_tables = nullptr;
    KeptZoom* m_zoom = nullptr;
};

}  // namespace calibscope
