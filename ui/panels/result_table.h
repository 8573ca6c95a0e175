// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/result_model.h"

#include <QWidget>

class QCheckBox;
class QComboBox;
class QSortFilterProxyModel;
class QTableView;

namespace calibscope {

/// The table of results: sortable, with the differences to a baseline on request. Columns that
/// don't fit are left out, the least important first; "All columns" shows them, and the table
/// scrolls.
class ResultTable : public QWidget
{
    Q_OBJECT

public:
    explicit ResultTable(ResultModel::Rows rows, QWidget* parent = nullptr);

    /// The rows are others, or hold something else.
    void refresh() { m_results.refresh(); }
    /// Empty or unknown: no baseline.
    void setBaseline(const std::string& id);
    void setCurrent(const std::string& id);

    [[nodiscard]] const ResultModel& results() const { return m_results; }
    [[nodiscard]] QTableView& view() const { return *m_view; }
    void copy() const;  ///< all of it to the clipboard, tabs between cells

    [[nodiscard]] QSize sizeHint() const override;

Q_SIGNALS:
    void tickRequested(const std::string& id, bool isTicked);
    void baselineRequested(const std::string& id);
    void currentChanged(const std::string& id);  ///< by the user
    void hovered(const std::string& id);         ///< empty: the pointer is on no row

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    [[nodiscard]] QWidget* makeBar();
    void makeView();
    void fitColumns();
    void listBaselines();
    void hoverAt(const QPoint& point);
    void showDifferences();

    ResultModel m_results;
    QSortFilterProxyModel* m_sorted;
    QTableView* m_view;
    QCheckBox* m_differences = nullptr;
    QComboBox* m_baselines = nullptr;
    QCheckBox* m_allColumns = nullptr;
    std::string m_baseline;
    bool m_isSetting = false;  ///< the current row changes, but not by the user
};

}  // namespace calibscope
