// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/match_model.h"

#include <QWidget>

class QDoubleSpinBox;
class QLabel;
class QLineEdit;
class QProgressBar;
class QPushButton;
class QTreeView;

namespace calibscope {

/// The tensors of two dumps as they belong together, what has changed most first, in place of the
/// list of tensors while two dumps are compared. A right click matches manually.
class MatchPanel : public QWidget
{
    Q_OBJECT

public:
    explicit MatchPanel(Comparison& comparison, QWidget* parent = nullptr);

    [[nodiscard]] const MatchModel& model() const { return m_model; }
    [[nodiscard]] QTreeView& tree() const { return *m_tree; }
    [[nodiscard]] QLineEdit& filter() const { return *m_filter; }
    [[nodiscard]] QString stateText() const;
    /// The row before or behind; stays at the ends.
    void step(int rows);
    /// The pair that has drifted next furthest; behind the last one the first.
    void showNextWorst();
    /// Once all pairs are read, unless the user has gone to one by then.
    void showWorstWhenRead() { m_isWorstWanted = true; }
    void focusList();

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    [[nodiscard]] QWidget* makeFilters();
    [[nodiscard]] QWidget* makeProgress();
    void makeTree();
    void arrangeColumns();
    void fitNames();
    void showState();
    void showAll();
    void showLookedAt();
    void look(const QModelIndex& index);
    void followRun();
    void showPair(int pair);
    void cycleSorting(int column);
    void tellShown();
    void openMenu(const QPoint& at);

    Comparison& m_comparison;
    MatchModel m_model;
    QLineEdit* m_filter = nullptr;
    QDoubleSpinBox* m_leastSteps = nullptr;
    QTreeView* m_tree;
    QLabel* m_state = nullptr;
    QProgressBar* m_progress = nullptr;
    QPushButton* m_button = nullptr;  ///< stops, or goes on
    QTimer m_moving;                  ///< rows come and go until scrolling ends
    int m_sortColumn = -1;
    Qt::SortOrder m_order = Qt::AscendingOrder;
    bool m_isSetting = false;  ///< the current row changes, but not by the user
    bool m_isWorstWanted = false;
};

}  // namespace calibscope
