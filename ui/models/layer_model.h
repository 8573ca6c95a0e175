#pragma once

#include "ui/document/document.h"
#include "ui/document/layer_reader.h"

#include <QAbstractTableModel>

namespace calibscope {

/// The layers of the open dump with what quantizing their operands costs at their output, in the
/// graph's order; those that can't be computed with the reason.
class LayerModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum Column {
        Layer,
        Op,
        Output,
        Ac,
        InputDb,
        WeightDb,
        Input,
        Weight,
        BiasGain,
        Residual,
        Positions,
        Attributes,
        Notes,
        ColumnCount
    };
    enum ItemRole {
        SortRole = Qt::UserRole + 1,  ///< a number or a text; invalid where there is none
        CopyRole,                     ///< a number with all digits
    };

    explicit LayerModel(Document& document, QObject* parent = nullptr);

    [[nodiscard]] const LayerRow& row(int index) const;
    /// Of that output; -1: none.
    [[nodiscard]] int rowOf(const std::string& layer) const;

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role) const override;

private:
    [[nodiscard]] QString text(const LayerRow& row, int column) const;
    [[nodiscard]] QVariant number(const LayerRow& row, int column) const;

    Document& m_document;
    int m_count = 0;
};

/// "29.7 ± 0.2", "∞", "–": an SQNR as the page shows it.
[[nodiscard]] QString layerDbText(const std::optional<double>& db,
                                  const std::optional<double>& interval = {});
/// "+6.1", "−0.3".
[[nodiscard]] QString dbChangeText(double db);
/// What an operand is quantized by, and who says so: "percentile 99.999 (recipe's)", "mse
/// (accepted)", "float".
[[nodiscard]] QString operandChoiceText(const Document& document, const LayerRow& row,
                                        const LayerOperand& operand);
/// What is to be known of a row's numbers: how many positions, the self-check, attributes, notes.
[[nodiscard]] QStringList layerSentences(const LayerRow& row);

}  // namespace calibscope
