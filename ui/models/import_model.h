#pragma once

#include "core/protocol/messages.h"

#include <QAbstractTableModel>

namespace calibscope {

/// What a file of another tool says of the tensors of a dump: a row for each of its entries, the
/// ones with the worst findings first, then the findings of the file as a whole.
class ImportModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum Column { Name, Tensor, Low, High, Deviation, Clipped, Findings, Columns };

    /// `tensors`: names by place in the request.
    ImportModel(protocol::ImportedFile file, std::vector<std::string> tensors,
                QObject* parent = nullptr);

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role) const override;

private:
    [[nodiscard]] QString text(const protocol::ImportedEntry& entry, int column) const;

    protocol::ImportedFile m_file;  ///< entries as shown
    std::vector<std::string> m_tensors;
};

/// "error: the range clips 12 % of the values".
[[nodiscard]] QString findingText(const Finding& finding);

}  // namespace calibscope
