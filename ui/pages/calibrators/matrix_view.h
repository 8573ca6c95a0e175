#pragma once

#include "ui/document/document.h"

#include <QColor>
#include <QStyledItemDelegate>
#include <QWidget>

#include <functional>
#include <optional>

class QComboBox;
class QLabel;
class QProgressBar;
class QPushButton;
class QTableView;

namespace calibscope {

/// Cells coloured by a value between 0 and 1, their text dark or light as the colour needs it. The
/// best of a row has a star and bold digits.
class HeatDelegate : public QStyledItemDelegate
{
    Q_OBJECT

public:
    /// 0 to 1; nothing: the cell is not coloured.
    using ShareOf = std::function<std::optional<double>(const QModelIndex& index)>;

    /// `bestRole` tells whether a cell is the best of its row.
    HeatDelegate(ShareOf shareOf, int bestRole, QObject* parent = nullptr);

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;
    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option,
                                 const QModelIndex& index) const override;

private:
    ShareOf m_shareOf;
    int m_bestRole;
};

/// Black or white, whichever is easier to read on that ground: at least 4.5 to 1 on any.
[[nodiscard]] QColor textOn(const QColor& ground);

class MatrixModel;
class MatrixSortModel;

/// What each calibrator gives on each tensor, computed in the background: a number that the user
/// chooses, as a heatmap. A click goes to that tensor and calibrator.
class MatrixView : public QWidget
{
    Q_OBJECT

public:
    explicit MatrixView(Document& document, QWidget* parent = nullptr);

    [[nodiscard]] QTableView& table() const { return *m_table; }
    [[nodiscard]] QComboBox& metrics() const { return *m_metrics; }
    [[nodiscard]] QPushButton& startButton() const { return *m_start; }
    [[nodiscard]] QPushButton& cancelButton() const { return *m_cancel; }

Q_SIGNALS:
    /// A cell that the user wants to look at closely; the candidate's id is empty beside a tensor's
    /// name. Cells without a result are not to be chosen.
    void cellChosen(int tensor, const std::string& candidate);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    [[nodiscard]] QWidget* makeBar();
    void makeTable();
    void listTensors();
    void showProgress();
    void showMetric();
    void chooseCell(const QModelIndex& index);
    void makeNames();
    void placeNames();

    Document& m_document;
    MatrixModel* m_model;
    MatrixSortModel* m_sorted;
    HeatDelegate* m_heat;
    QTableView* m_table;
    QTableView* m_names;  ///< the first column, over it: it stays when the others scroll
    QComboBox* m_metrics = nullptr;
    QPushButton* m_start = nullptr;
    QPushButton* m_cancel = nullptr;
    QProgressBar* m_progress = nullptr;
    QLabel* m_state = nullptr;
};

}  // namespace calibscope
