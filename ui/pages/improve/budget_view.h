// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/budget_content.h"
#include "ui/document/deployment.h"
#include "ui/models/table_model.h"

#include <QDateTime>
#include <QWidget>

#include <tuple>

class QLabel;
class QPushButton;
class QSortFilterProxyModel;
class QTableView;

namespace calibscope {

/// Cost against SQNR at the network's end, from the table of the end: a point is chosen by the
/// handle in the plot or in the table, and accepted as one step.
class BudgetView : public QWidget
{
    Q_OBJECT

public:
    explicit BudgetView(Deployment& deployment, QWidget* parent = nullptr);

    [[nodiscard]] BudgetPlot& plot() const { return *m_plot; }
    [[nodiscard]] QTableView& table() const { return *m_table; }
    [[nodiscard]] QPushButton& acceptButton() const { return *m_accept; }
    /// Measures the table of the end, as far as it lacks operands of what is decided.
    [[nodiscard]] QPushButton& measureButton() const { return *m_measure; }
    /// On the chosen point, or the reason that there is none.
    [[nodiscard]] QString sentence() const;
    /// Reads the budget where it is not known and can be, once for what is decided.
    void refresh();

Q_SIGNALS:
    /// What the accepted point has changed, as a sentence; it may have changed nothing.
    void accepted(const QString& sentence, bool hasChanged);

protected:
    void showEvent(QShowEvent* event) override;

private:
    void start();
    void choose(std::size_t point);
    [[nodiscard]] QString reason() const;

    Deployment& m_deployment;
    TableModel<BudgetRow> m_rows;
    QSortFilterProxyModel* m_sorted;
    BudgetPlot* m_plot;
    QLabel* m_sentence;
    QPushButton* m_accept;
    QPushButton* m_measure;
    QTableView* m_table;
    std::vector<BudgetRow> m_shown;  ///< what the plot has
    std::size_t m_chosen = 0;
    bool m_isChoosing = false;
    /// Dump, model and decisions that the budget was asked for last.
    std::tuple<QString, QString, decltype(Workbench::decisions), QDateTime> m_asked;
};

}  // namespace calibscope
