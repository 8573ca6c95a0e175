// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/document/document.h"
#include "ui/pages/calibrators/heat_cells.h"

#include <QElapsedTimer>
#include <QWidget>

#include <optional>

class QComboBox;
class QLabel;
class QProgressBar;
class QPushButton;
class QTableView;

namespace calibscope {

class MatrixModel;
class MatrixSortModel;

/// Results of each calibrator on each tensor, computed in the background: a number that the user
/// chooses, as a heatmap. A click goes to that tensor and calibrator.
class MatrixView : public QWidget
{
    Q_OBJECT

public:
    explicit MatrixView(Document& document, QWidget* parent = nullptr);

    /// Rows of these tensors alone; nothing: of all.
    void setListed(std::optional<std::vector<int>> listed);
    void copyTable() const;  ///< to the clipboard, as it is shown, numbers with all digits
    [[nodiscard]] QTableView& table() const { return *m_table; }
    [[nodiscard]] QComboBox& metrics() const { return *m_metrics; }
    [[nodiscard]] QPushButton& startButton() const { return *m_start; }
    [[nodiscard]] QPushButton& cancelButton() const { return *m_cancel; }
    [[nodiscard]] QComboBox& references() const { return *m_references; }
    [[nodiscard]] QComboBox& colourings() const { return *m_colourings; }
    [[nodiscard]] const MatrixKey& key() const { return *m_key; }
    [[nodiscard]] QString stateText() const;

Q_SIGNALS:
    /// A cell that the user wants to look at closely; the candidate's id is empty beside a tensor's
    /// name. Cells without a result are not to be chosen.
    void cellChosen(int tensor, const std::string& candidate);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    [[nodiscard]] QWidget* makeBar();
    void makeKeys();
    void startIfSmall();
    void showSelected();
    [[nodiscard]] std::uint64_t valuesToRead() const;
    [[nodiscard]] QString hint() const;
    [[nodiscard]] bool isComputed() const;
    [[nodiscard]] std::optional<double> shareOf(double value) const;
    [[nodiscard]] double valueAt(double share) const;
    [[nodiscard]] double differenceShare(double value) const;
    [[nodiscard]] std::optional<QColor> groundOf(double value, int tensor) const;
    void showDifferenceKey();
    void showKey();
    [[nodiscard]] QString keyText(double value) const;
    void showReference();
    void orderColumns();
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
    QComboBox* m_references = nullptr;
    QComboBox* m_colourings = nullptr;
    MatrixKey* m_key = nullptr;
    QElapsedTimer m_since;      ///< the matrix was started
    int m_doneAtStart = 0;      ///< rows that were there then
    bool m_wasStarted = false;  ///< for this dump, by the user or by itself
    std::vector<int> m_all;     ///< tensors that have a row unless the list's filter hides it
    std::optional<std::vector<int>> m_listed;  ///< by the list's filter, ascending
};

}  // namespace calibscope
