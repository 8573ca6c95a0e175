#pragma once

#include "ui/models/tensor_filter.h"

#include <QSortFilterProxyModel>
#include <QString>

#include <vector>

namespace calibscope {

class TensorModel;

/// The tensors that a query lets through, in file order or sorted by a column. The query is asked
/// once per tensor, not once per row and keystroke of the view.
class TensorFilterModel : public QSortFilterProxyModel
{
    Q_OBJECT

public:
    explicit TensorFilterModel(TensorModel& tensors, QObject* parent = nullptr);

    void setQuery(const QString& query);
    /// What was not understood of the query, as a sentence; empty: all was.
    [[nodiscard]] QString problem() const;
    /// Tensors that the query lets through.
    [[nodiscard]] int matchCount() const;

    /// A group says how many of its tensors are shown.
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;

    /// The tensor of a row of this model; -1 for a group.
    [[nodiscard]] int tensorAt(const QModelIndex& index) const;
    /// The row of a tensor in the first column; invalid while the query hides it.
    [[nodiscard]] QModelIndex indexOfTensor(int tensor) const;
    /// The tensors in the order in which they are shown, each once.
    [[nodiscard]] std::vector<int> shownTensors() const;

protected:
    [[nodiscard]] bool filterAcceptsRow(int row, const QModelIndex& parent) const override;
    [[nodiscard]] bool lessThan(const QModelIndex& left, const QModelIndex& right) const override;

private:
    void matchAll();
    void matchChanged(const QModelIndex& first, const QModelIndex& last);
    [[nodiscard]] bool isMatch(int tensor) const;

    TensorModel& m_tensors;
    TensorFilter m_filter;
    std::vector<bool> m_matches;  ///< by tensor
};

}  // namespace calibscope
