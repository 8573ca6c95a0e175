#pragma once

#include "ui/queries/pair_reader.h"

#include <QAbstractTableModel>

#include <functional>
#include <string>
#include <vector>

namespace calibscope {

/// Each calibrator on two recordings of a tensor: both scales, and what B's values lose when A's
/// scale stands in for their own.
class TransferModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum Column { Calibrator, ScaleA, ScaleB, Ratio, OwnDb, TransferredDb, LossDb, ColumnCount };
    enum Role {
        StaleRole = Qt::UserRole + 1,  ///< A's scale costs more than staleDb
    };
    /// A loss from which on scales count as stale.
    static constexpr double staleDb = 1.0;

    /// Where both recordings and their comparison stand: asked at each look.
    using Found = std::function<const PairReader::Found&()>;

    /// Lists none until refresh().
    explicit TransferModel(Found found, QObject* parent = nullptr);

    /// Something else was found. `recipe`: id of the chosen recipe's candidate, which comes first.
    void refresh(const std::string& recipe);

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role) const override;

private:
    struct Row
    {
        std::size_t place = 0;   ///< among the choices that were compared
        bool isRecipes = false;  ///< the chosen recipe's
    };

    [[nodiscard]] static QString text(const std::string& label, const ChoiceComparison& comparison,
                                      int column);
    [[nodiscard]] static QString toolTip(const std::string& label,
                                         const ChoiceComparison& comparison, bool isRecipes);

    Found m_found;
    std::vector<Row> m_rows;
};

}  // namespace calibscope
