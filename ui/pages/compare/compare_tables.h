// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/comparison_model.h"
#include "ui/queries/pair_reader.h"

#include <QWidget>

#include <string>

class QBoxLayout;
class QLabel;
class QTableView;

namespace calibscope {

/// A tensor in two dumps in numbers: what each calibrator's scale of A does to B, and statistics.
/// Beside each other where there is room.
class CompareTables : public QWidget
{
    Q_OBJECT

public:
    /// The reader must outlive it.
    explicit CompareTables(const PairReader& looked, QWidget* parent = nullptr);

    /// Something else was found. `standing`: id of the accepted calibrator, else the chosen recipe's.
    void refresh(const std::string& standing);

    [[nodiscard]] const QAbstractItemModel& statistics() const { return m_statistics; }
    [[nodiscard]] const QAbstractItemModel& transfer() const { return m_transfer; }
    [[nodiscard]] QSize sizeHint() const override { return {600, 230}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {300, 110}; }

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    [[nodiscard]] QTableView* makeTable(QAbstractItemModel& model, const QString& name);
    void place();

    const PairReader& m_looked;
    TableModel<StatisticPair> m_statistics;
    TableModel<TransferRow> m_transfer;
    QTableView* m_statisticsView;
    QTableView* m_transferView;
    QBoxLayout* m_layout;
};

}  // namespace calibscope
