#pragma once

#include "core/protocol/messages.h"
#include "core/tensor/tensor_info.h"
#include "ui/models/tensor_flags.h"

#include <QAbstractItemModel>

#include <array>
#include <map>
#include <optional>
#include <vector>

namespace calibscope {

/// The tensors of a dump in three groups (activations, weights, other), in file order; groups
/// without a tensor are left out. Pinned ones stand once more in a last group. What a row shows
/// beyond names arrives later, tensor by tensor.
class TensorModel : public QAbstractItemModel
{
    Q_OBJECT

public:
    enum Column { Name, Flags, Distribution, Sqnr, Shape, Type, Op, Role, ColumnCount };

    /// Beside the roles of Qt.
    enum DataRole {
        SortRole = Qt::UserRole,  ///< what a column is sorted by; invalid: not known, sorted last
        SparklineRole,            ///< QList<double>, counts in equal columns
        SqnrRole,                 ///< double, dB
        TensorRole,               ///< int, index in the dump; invalid for a group
        GroupTitleRole,           ///< QString, what a group is called, without its size
        CopyRole,                 ///< a number with all digits where the text has fewer
    };

    using QAbstractItemModel::QAbstractItemModel;

    /// `edited`: indices of those of which the user said how they are to be understood.
    void setTensors(std::vector<TensorInfo> tensors, const std::vector<int>& edited = {});
    /// These indices became others; what was known of the values goes, unless they are the same.
    void changeTensors(const std::vector<int>& places, const std::vector<TensorInfo>& tensors,
                       const std::vector<int>& edited, bool sameValues);
    void setPreview(int tensor, protocol::Preview preview);
    /// Its values could not be read after all, and why, as a sentence; a preview takes it back.
    void setProblem(int tensor, const QString& sentence);
    /// Indices of the tensors in the last group, in rising order.
    void setPins(const std::vector<int>& pins);
    /// Indices of those of no interest: they are grey.
    void setExcluded(const std::vector<int>& excluded);
    /// What was accepted for tensors, by their indices.
    void setDecided(std::map<int, QString> decided);
    /// Forgets what depends on the recipe; sparklines and counts stay.
    void clearSqnr();

    [[nodiscard]] int tensorCount() const { return static_cast<int>(m_tensors.size()); }
    [[nodiscard]] const TensorInfo& tensor(int index) const;
    [[nodiscard]] const protocol::Preview* preview(int index) const;  ///< nullptr until it is there
    [[nodiscard]] TensorFlags flagsOf(int index) const;
    [[nodiscard]] bool isEdited(int index) const;
    [[nodiscard]] bool isPinned(int index) const;
    [[nodiscard]] bool isExcluded(int index) const;
    [[nodiscard]] bool isDecided(int index) const { return m_decided.contains(index); }
    /// Whether this row is the group of pinned tensors, or in it.
    [[nodiscard]] bool isInPins(const QModelIndex& index) const;
    /// The row of a tensor, in the first column.
    [[nodiscard]] QModelIndex indexOf(int tensor) const;
    /// The tensor of a row; -1 for a group.
    [[nodiscard]] int tensorAt(const QModelIndex& index) const;

    [[nodiscard]] QModelIndex index(int row, int column,
                                    const QModelIndex& parent = {}) const override;
    [[nodiscard]] QModelIndex parent(const QModelIndex& child) const override;
    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role) const override;
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;

private:
    struct Group
    {
        calibscope::Role role = calibscope::Role::Unknown;
        std::vector<int> tensors;
        bool isPins = false;
    };

    void makeGroups();
    [[nodiscard]] bool hasPins() const { return !m_groups.empty() && m_groups.back().isPins; }
    void insertPin(int tensor);
    void removePin(int tensor);
    void setEdited(const std::vector<int>& edited);
    void tellChanged(int tensor);
    [[nodiscard]] QVariant groupData(const Group& group, int column, int role) const;
    [[nodiscard]] QVariant displayText(int tensor, int column) const;
    [[nodiscard]] QVariant sortKey(int tensor, int column) const;
    [[nodiscard]] QString toolTip(int tensor, int column) const;

    std::vector<TensorInfo> m_tensors;
    std::vector<std::optional<protocol::Preview>> m_previews;
    std::vector<bool> m_edited;
    std::vector<int> m_pins;  ///< in rising order
    std::vector<bool> m_excluded;
    std::map<int, QString> m_decided;  ///< the label accepted
    std::vector<Group> m_groups;
    std::vector<std::pair<int, int>> m_places;  ///< of each tensor: group and row in it
};

}  // namespace calibscope
