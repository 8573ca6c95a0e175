// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/document/document.h"
#include "ui/pages/graph/graph_content.h"
#include "ui/widgets/workspace_page.h"

#include <QTimer>

#include <cstddef>
#include <optional>
#include <set>
#include <vector>

class QCheckBox;
class QComboBox;
class QLineEdit;

namespace calibscope {

/// The network that the dump's recorded inputs state, as a picture: where in it what is lost. Made
/// when it is first seen.
class GraphPage : public WorkspacePage
{
    Q_OBJECT

public:
    explicit GraphPage(Document& document, QWidget* parent = nullptr);

    void setColors(GraphColors colors);
    /// Running SQNR in the model that was checked, by tensor; empty: there is none.
    void setRunning(std::vector<std::optional<double>> running);

    /// Shares of the noise at the network's end, by tensor; empty: there are none, and the reason.
    void setEndShares(std::vector<std::optional<double>> shares, const QString& whyNot);

    [[nodiscard]] PlotView* currentPlot() const override;
    [[nodiscard]] GraphPlot& plot() const { return *m_plot; }
    [[nodiscard]] QCheckBox& fold() const { return *m_fold; }
    [[nodiscard]] QLineEdit& search() const { return *m_search; }
    [[nodiscard]] QComboBox& colorChoice() const { return *m_colors; }

Q_SIGNALS:
    /// To be set, as is: shares, or a reason why there are none.
    void endSharesAsked();
    void endSharesWanted();
    /// The layers of the model that the dump was recorded from are to be computed.
    void modelRequested();

protected:
    void showEvent(QShowEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    [[nodiscard]] QWidget* makeBody();
    [[nodiscard]] QWidget* makeHead();
    void connectDocument();
    void makeAnew();
    void layOut();
    void refresh();
    void refreshAll();
    void refreshState();
    void find();
    void askForShares();
    void findNext();
    [[nodiscard]] GraphColors colors() const;
    [[nodiscard]] GraphMark bareMark(int tensor) const;
    void addNumbers(GraphMark& mark) const;
    [[nodiscard]] GraphMark scopeMark(const GraphNode& scope) const;
    [[nodiscard]] GraphMark numberedMark(int tensor) const;
    [[nodiscard]] std::optional<double> dbOf(int tensor) const;

    Document& m_document;
    QTimer m_soon;  ///< numbers that come one by one are drawn together
    bool m_isMade = false;
    std::vector<std::vector<std::size_t>> m_nodesOf;  ///< that have the tensor, or stand for it
    std::set<std::size_t> m_changed;                  ///< nodes with other numbers than are drawn
    std::vector<std::optional<double>> m_outputDb;    ///< of the layers, by tensor
    std::vector<std::optional<double>> m_running;
    std::vector<std::optional<double>> m_endShares;
    QString m_whyNoShares;
    QCheckBox* m_fold = nullptr;
    QLineEdit* m_search = nullptr;
    QComboBox* m_colors = nullptr;
    GraphPlot* m_plot = nullptr;
};

}  // namespace calibscope
