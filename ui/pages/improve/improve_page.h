// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/document/deployment.h"
#include "ui/models/improve_model.h"
#include "ui/widgets/workspace_page.h"

#include <functional>

class QCheckBox;
class QLabel;
class QPushButton;
class QSortFilterProxyModel;
class QStackedWidget;
class QTabBar;
class QTableView;

namespace calibscope {

class BudgetView;
class StepsBar;

/// From measuring to improving: what remedies gain for each layer, which are written, and what they
/// do at the network's end. `calib improve` computes, in a process of its own.
class ImprovePage : public WorkspacePage
{
    Q_OBJECT

public:
    /// `sessionFile`: the user's, empty where what is decided is not saved in it.
    ImprovePage(Deployment& deployment, std::function<QString()> sessionFile,
                QWidget* parent = nullptr);

    enum class View { Layers, Ladder, Budget };
    void showView(View view);
    [[nodiscard]] PlotView* currentPlot() const override;

    [[nodiscard]] QTableView& layers() const { return *m_layerTable; }
    [[nodiscard]] QTableView& ladder() const { return *m_rungTable; }
    [[nodiscard]] StepsBar& steps() const { return *m_steps; }
    [[nodiscard]] BudgetView& budget() const { return *m_budget; }
    [[nodiscard]] Whiskers& whiskers() const { return *m_whiskers; }
    [[nodiscard]] QPushButton& modelButton() const { return *m_model; }
    [[nodiscard]] QPushButton& runButton() const { return *m_run; }
    [[nodiscard]] QCheckBox& sequential() const { return *m_sequential; }
    [[nodiscard]] QPushButton& copyButton() const { return *m_copy; }
    /// Text on what was found, on the chosen layer, and the command that finds the same.
    [[nodiscard]] QString sentence() const;
    [[nodiscard]] QString details() const;
    [[nodiscard]] QString command() const;
    [[nodiscard]] QString ladderText() const;
    void copyCommand();
    /// The session was saved, or is no longer what was saved.
    void refreshCommand();

Q_SIGNALS:
    void modelRequested();
    void recipeRequested();   ///< all tensors without a decision get the recipe's
    void fileRequested();     ///< for what is to be written
    void runRequested();      ///< inputs have no values, or no output is chosen
    void sessionRequested();  ///< has to be saved, for the command to be copied

private:
    [[nodiscard]] QString checkedSentence() const;
    [[nodiscard]] QWidget* makeBody();
    [[nodiscard]] QWidget* makeSteps();
    [[nodiscard]] QWidget* makeLayers();
    [[nodiscard]] QWidget* makeLadder();
    [[nodiscard]] QWidget* makeCommand();
    void refresh();
    void refreshRows();
    [[nodiscard]] QString problem() const;
    void refreshSteps();
    [[nodiscard]] QString stateOf(Deployment::Step step) const;
    void refreshDetails();
    void chooseStep(Deployment::Step step);
    void openInput(const QModelIndex& index);
    [[nodiscard]] View shownView() const;

    Deployment& m_deployment;
    std::function<QString()> m_sessionFile;
    TableModel<LayerImprovement> m_layers;
    TableModel<LadderRung> m_rungs;
    QSortFilterProxyModel* m_sortedLayers;
    QSortFilterProxyModel* m_sortedRungs;
    StepsBar* m_steps = nullptr;
    QLabel* m_sentence = nullptr;
    QTabBar* m_tabs = nullptr;
    QStackedWidget* m_views = nullptr;
    QTableView* m_layerTable = nullptr;
    QTableView* m_rungTable = nullptr;
    QLabel* m_details = nullptr;
    BudgetView* m_budget = nullptr;
    Whiskers* m_whiskers = nullptr;
    QLabel* m_ladderText = nullptr;
    ElidedLabel* m_command = nullptr;
    QPushButton* m_copy = nullptr;
    QPushButton* m_model = nullptr;
    QPushButton* m_run = nullptr;
    QCheckBox* m_sequential = nullptr;
    bool m_hadRungs = false;
};

}  // namespace calibscope
