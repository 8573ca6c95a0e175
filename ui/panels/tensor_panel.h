// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/tensor_filter_model.h"
#include "ui/models/tensor_model.h"

#include <QWidget>

#include <map>
#include <optional>
#include <utility>

class QAction;
class QLabel;
class QLineEdit;
class QTimer;
class QToolButton;
class QTreeView;

namespace calibscope {

/// The list of tensors with its filter. It shows the selection and asks for another one.
class TensorPanel : public QWidget
{
    Q_OBJECT

public:
    explicit TensorPanel(TensorModel& tensors, QWidget* parent = nullptr);

    /// A widget above the filter.
    void setHead(QWidget& head);
    void setSelected(int tensor);
    void focusFilter();
    void focusList();
    void setQuery(const QString& query);
    [[nodiscard]] QString query() const;
    /// By the SQNR at the output of each tensor's layer where that is known, behind them by its
    /// own, the lowest first; else as in the file.
    void setWorstFirst(bool isWorstFirst);
    [[nodiscard]] bool isWorstFirst() const;

    /// As a tree by the parts of the names, or one row after another.
    void setTree(bool isTree);
    [[nodiscard]] bool isTree() const;

    /// Which columns are shown, how wide and in which order, as Qt packs it.
    [[nodiscard]] QByteArray columns();
    /// Nothing happens if it is of another version of the list.
    void restoreColumns(const QByteArray& columns);
    /// Menu of a row; a right click selects it first.
    void addToMenu(QAction& action);

    /// Tensors to go to from `tensor`; -1 if there is none. Only what the filter lets through
    /// counts.
    [[nodiscard]] int neighbour(int tensor, int step) const;
    [[nodiscard]] int nextFlagged(int tensor) const;
    [[nodiscard]] int nextGuess(int tensor) const;
    /// The next one by what setWorstFirst() sorts by; from the last one on, the worst of all.
    [[nodiscard]] int nextWorst(int tensor);

    /// Shows now what previews changed.
    void catchUp() { m_shown.catchUp(); }
    [[nodiscard]] const TensorFilterModel& shown() const { return m_shown; }
    /// What it says that tensors are ranked by; blank: by their own SQNR.
    [[nodiscard]] QString ranking() const;
    /// Tensors whose rows, or branches, are selected, in the order of the list, each once.
    [[nodiscard]] std::vector<int> selectedTensors() const;

Q_SIGNALS:
    void selectionRequested(int tensor);
    void sortingChanged();  ///< or tree and list
    /// These rows are on screen now.
    void shownTensorsChanged(const std::vector<int>& tensors);

protected:
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    [[nodiscard]] QToolButton* makeExamples();
    void makeTree();
    void makeTreeButton();
    void followFont();
    void openBranches();
    void addColumnActions();
    void showAll();
    void applyQuery();
    void showProblem();
    void askForCurrent(const QModelIndex& current);
    void cycleSorting(int column);
    void followRanking();
    [[nodiscard]] bool isWanted(int column) const;
    void fitColumns();
    void sortBy(int column, Qt::SortOrder order);  ///< -1: as in the file
    void expandGroups();
    void tellShown();
    template <typename Condition>
    [[nodiscard]] int nextThat(int tensor, Condition isWanted) const;

    TensorModel& m_tensors;
    TensorFilterModel m_shown;
    QLineEdit* m_query;
    QLabel* m_problem;
    QLabel* m_ranking;  ///< what the worst are ranked by, where it is not their own SQNR alone
    QTreeView* m_tree;
    QToolButton* m_treeButton;
    QTimer* m_typing;
    QTimer* m_moving;  ///< rows come and go until scrolling ends
    int m_selected = -1;
    using Ranked = std::pair<std::pair<int, double>, int>;  ///< a tensor behind its rank
    std::optional<Ranked> m_reached;                        ///< by nextWorst(), as it was then
    bool m_ranksByLayers = false;
    std::map<int, int> m_fontWidths;      ///< of columns of texts, as the font wants them
    std::map<int, bool> m_chosenColumns;  ///< shown or hidden by the user
};

}  // namespace calibscope
