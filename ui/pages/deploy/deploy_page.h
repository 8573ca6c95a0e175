// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/document/deployment.h"
#include "ui/models/deploy_model.h"
#include "ui/widgets/workspace_page.h"

#include <QMap>

#include <string>

class QLabel;
class QProgressBar;
class QPushButton;
class QSortFilterProxyModel;
class QStackedWidget;
class QTabBar;
class QTableView;

namespace calibscope {

class DeployForm;
class DrawWhiskers;
class StateNotice;

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
    [[nodiscard]] QPushButton& planButton() const { return *m_plan; }
    [[nodiscard]] QPushButton& writeButton() const { return *m_write; }
    [[nodiscard]] QPushButton& checkButton() const { return *m_check; }
    [[nodiscard]] QPushButton& cancelButton() const { return *m_cancel; }
    [[nodiscard]] DrawWhiskers& whiskers() const { return *m_whiskers; }
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
    QMap<QPushButton*, QString> m_help;  ///< tooltips of buttons that can be pressed
    QPushButton* m_plan = nullptr;
    QPushButton* m_write = nullptr;
    QPushButton* m_check = nullptr;
    QPushButton* m_cancel = nullptr;
    QProgressBar* m_progress = nullptr;
    QLabel* m_sentence = nullptr;
    DrawWhiskers* m_whiskers = nullptr;
    QTabBar* m_tabs = nullptr;
    QStackedWidget* m_views = nullptr;
    QTableView* m_decisionTable = nullptr;
    QTableView* m_resultTable = nullptr;
    StateNotice* m_noResult = nullptr;
    bool m_hadReport = false;
};

}  // namespace calibscope
