#pragma once

#include "core/report/tables/layer_report.h"

#include <QAbstractTableModel>
#include <QString>

#include <vector>

namespace calibscope {

/// What equalizing the channels between layers would give.
class EqualizationModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum Column { First, Second, Gain, FirstDb, SecondDb, Scales, Dominant, Notes, ColumnCount };
    static constexpr int SortRole = Qt::UserRole + 1;

    using QAbstractTableModel::QAbstractTableModel;

    void setPairs(std::vector<Equalization> pairs);

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role) const override;

private:
    [[nodiscard]] QString text(const Equalization& pair, int column) const;

    std::vector<Equalization> m_pairs;
};

}  // namespace calibscope
