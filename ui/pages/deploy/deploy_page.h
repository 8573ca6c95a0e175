// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/document/deployment.h"
#include "ui/models/deploy_model.h"
#include "ui/widgets/workspace_page.h"

#include <string>

class QLabel;
class QSortFilterProxyModel;
class QStackedWidget;
class QTabBar;
class QTableView;

namespace calibscope {

class DeployForm;
class StateNotice;
class StepsBar;
class Whiskers;

/// From the decisions to a model that was checked: what was decided and what is odd about it, what
/// is to be written, and what the check found of each tensor.
class DeployPage : public WorkspacePage
{
    Q_OBJECT

public:
    explicit DeployPage(Deployment& deployment, QWidget* parent = nullptr);

    enum class View { Decisions, Result };
    void showView(View view);

    [[nodiscard]] DeployForm& form() const { return *m_form; }
    [[nodiscard]] QTableView& decisions() const { return *m_decisionTable; }
    [[nodiscard]] QTableView& result() const { return *m_resultTable; }
    [[nodiscard]] StepsBar& steps() const { return *m_steps; }
    [[nodiscard]] Whiskers& whiskers() const { return *m_whiskers; }
    /// Text on the last step, and on the outputs.
    [[nodiscard]] QString sentence() const;

Q_SIGNALS:
    void modelRequested();
    void outputRequested();
    void recipeRequested();  ///< all tensors without a decision get the recipe's

private:
    [[nodiscard]] QWidget* makeBody();
    [[nodiscard]] QWidget* makeSteps();
    [[nodiscard]] QWidget* makeViews();
    [[nodiscard]] QTableView* makeTable(QSortFilterProxyModel& sorted, QAbstractItemModel& source,
                                        const QString& name);
    void refresh();
    void refreshSteps();
    void refreshSentence();
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
    QLabel* m_sentence = nullptr;
    Whiskers* m_whiskers = nullptr;
    QTabBar* m_tabs = nullptr;
    QStackedWidget* m_views = nullptr;
    QTableView* m_decisionTable = nullptr;
    QTableView* m_resultTable = nullptr;
    StateNotice* m_noResult = nullptr;
    bool m_hadReport = false;
};

}  // namespace calibscope
