// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/document/deployment.h"
#include "ui/models/deploy_model.h"
#include "ui/widgets/workspace_page.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

class QLabel;
class QPushButton;
class QSortFilterProxyModel;
class QStackedWidget;
class QTabBar;
class QTableView;

namespace calibscope {

class DeployForm;
class MessageBar;
class NamedTensors;
class RunningPlot;
class StateNotice;
class StepsBar;
class Whiskers;

/// From the decisions to a model that was checked, in three steps: what was decided and the findings
/// about it, what is to be written, and the result of the check along the network, from which a
/// drop leads to the layer's candidates.
class DeployPage : public WorkspacePage
{
    Q_OBJECT

public:
    explicit DeployPage(Deployment& deployment, QWidget* parent = nullptr);

    enum class View { Decisions, Result };
    void showView(View view);

    [[nodiscard]] PlotView* currentPlot() const override;
    [[nodiscard]] RunningPlot& plot() const { return *m_plot; }
    /// Of the result, by tensor of the dump; empty: there is none.
    [[nodiscard]] std::vector<std::optional<double>> runningDb() const;
    [[nodiscard]] QPushButton& candidatesButton() const { return *m_candidates; }
    [[nodiscard]] MessageBar& problem() const { return *m_problem; }
    [[nodiscard]] DeployForm& form() const { return *m_form; }
    [[nodiscard]] QTableView& decisions() const { return *m_decisionTable; }
    [[nodiscard]] QTableView& result() const { return *m_resultTable; }
    [[nodiscard]] StepsBar& steps() const { return *m_steps; }
    [[nodiscard]] Whiskers& whiskers() const { return *m_whiskers; }
    /// Text on the last step that ended well, and on the outputs.
    [[nodiscard]] QString sentence() const;
    /// For the tensors without a decision; shown where there are some.
    [[nodiscard]] QPushButton& acceptRestButton() const { return *m_acceptRest; }
    [[nodiscard]] QString findings() const;

Q_SIGNALS:
    void modelRequested();
    void outputRequested();
    void recipeRequested();  ///< all tensors without a decision get the recipe's
    /// Candidates for the layer that makes the tensor, or for the tensor itself where its own scale
    /// costs the most.
    void candidatesRequested(int tensor, bool isOfItself);

protected:
    void recolor() override { refreshSteps(); }

private:
    [[nodiscard]] QWidget* makeBody();
    [[nodiscard]] QWidget* makeSteps();
    [[nodiscard]] QWidget* makeViews();
    [[nodiscard]] QWidget* makeResult();
    [[nodiscard]] QTableView* makeTable(QSortFilterProxyModel& sorted, QAbstractItemModel& source,
                                        const QString& name);
    void refresh();
    void refreshSteps();
    void refreshSentence();
    void refreshProblem();
    void refreshDrop();
    void refreshFindings();
    [[nodiscard]] std::uint64_t plannedErrors() const;
    [[nodiscard]] QString stateOf(Deployment::Step step) const;
    /// The report's index of the row that is current, else of the first; nothing: no row.
    [[nodiscard]] std::optional<std::size_t> currentCheck() const;
    void openCandidates(std::size_t check);
    /// In the dump, by a name of the graph; -1: not in it.
    [[nodiscard]] int tensorOf(const TensorCheck& check) const;
    [[nodiscard]] static int tensorOf(const TensorCheck& check, const NamedTensors& named);
    void chooseDecision(const QModelIndex& index);
    void chooseResult(const QModelIndex& index);

    Deployment& m_deployment;
    TableModel<DeployRow> m_decisions;
    double m_standsOutDb = 0.0;  ///< of m_result's rows
    TableModel<TensorCheck> m_result;
    QSortFilterProxyModel* m_sortedDecisions;
    QSortFilterProxyModel* m_sortedResult;
    DeployForm* m_form = nullptr;
    StepsBar* m_steps = nullptr;
    MessageBar* m_problem = nullptr;
    QLabel* m_sentence = nullptr;
    QPushButton* m_acceptRest = nullptr;
    Whiskers* m_whiskers = nullptr;
    QTabBar* m_tabs = nullptr;
    QStackedWidget* m_views = nullptr;
    QLabel* m_findings = nullptr;  ///< of the current decision
    QTableView* m_decisionTable = nullptr;
    QTableView* m_resultTable = nullptr;
    QWidget* m_resultView = nullptr;
    RunningPlot* m_plot = nullptr;
    ElidedLabel* m_drop = nullptr;
    QPushButton* m_candidates = nullptr;
    StateNotice* m_noResult = nullptr;
    bool m_hadReport = false;
};

}  // namespace calibscope
