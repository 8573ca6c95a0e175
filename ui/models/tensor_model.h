// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tensor/tensor_info.h"
#include "ui/document/document.h"
#include "ui/document/previews.h"
#include "ui/models/tensor_flags.h"

#include <QAbstractItemModel>

#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace calibscope {

/// An SQNR as the list shows it: "28.9"; empty: not known.
[[nodiscard]] QString listedDb(const std::optional<double>& db);

/// A document's tensors in groups (activations, weights, biases, other), in file order; groups
/// without a tensor are left out. Pinned ones stand once more in a last group. What a row shows
/// beyond names arrives later, tensor by tensor. While another dump is being opened the former one
/// is listed.
class TensorModel : public QAbstractItemModel
{
    Q_OBJECT

public:
    enum Column {
        Name,
        Flags,
        Distribution,
        Sqnr,
        Layer,
        Decided,
        Shape,
        Type,
        Op,
        Role,
        Diagnosed,
        Gain,
        ColumnCount
    };

    /// Beside the roles of Qt.
    enum DataRole {
        SortRole = Qt::UserRole,  ///< what a column is sorted by; invalid: not known, sorted last
        SparklineRole,            ///< QList<double>, counts in equal columns
        SqnrRole,                 ///< double, dB
        TensorRole,               ///< int, index in the dump; invalid for a group
        GroupTitleRole,           ///< QString, what a group is called, without its size
        AtLayerRole,              ///< double, dB
        CopyRole,                 ///< what is copied where the text has less: all digits, the name
    };

    /// The document must outlive it.
    explicit TensorModel(const Document& document, QObject* parent = nullptr);

    [[nodiscard]] int tensorCount() const { return static_cast<int>(m_places.size()); }
    [[nodiscard]] const TensorInfo& tensor(int index) const { return m_tensors->at(index); }
    /// Without SQNR where it is of a former recipe; nullptr until it is there.
    [[nodiscard]] const protocol::Preview* preview(int index) const { return m_taken->find(index); }
    /// Its values can be read, as far as it is known.
    [[nodiscard]] bool isReadable(int index) const;
    [[nodiscard]] TensorFlags flagsOf(int index) const;
    /// SQNR at the output of the layer that it is an operand of, it alone quantized; of several
    /// layers the least; nothing where it is not known.
    [[nodiscard]] std::optional<double> atLayer(int index) const;
    /// How many tensors it is known of.
    [[nodiscard]] int atLayerCount() const;
    /// What tensors are ranked by, the worst is the least: those known at a layer's output come
    /// first, by that, then the others by their own SQNR; nothing where neither is known.
    [[nodiscard]] std::optional<std::pair<int, double>> rankOf(int index) const;
    /// dB that the best candidate has over the chosen recipe's choice, 0 where none has enough to
    /// be worth a word; nothing while it is not known.
    [[nodiscard]] std::optional<double> gainOf(int index) const;
    /// What the user said of it.
    [[nodiscard]] bool isEdited(int index) const { return m_tensors->isEdited(index); }
    [[nodiscard]] bool isPinned(int index) const;
    [[nodiscard]] bool isExcluded(int index) const;
    [[nodiscard]] bool isDecided(int index) const { return decision(index) != nullptr; }
    /// What was accepted for it; nullptr: nothing was.
    [[nodiscard]] const Decision* decision(int index) const;
    /// Its SQNR; nothing while it is not known.
    [[nodiscard]] std::optional<double> decidedDb(int index) const;
    [[nodiscard]] bool hasDecisions() const;
    /// The tensors of a group's row, in the order of its rows.
    [[nodiscard]] const std::vector<int>& tensorsOf(int group) const;
    /// What a column is sorted by: a number, or a text in natural order; invalid: not known.
    [[nodiscard]] QVariant sortKey(int tensor, int column) const;
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

Q_SIGNALS:
    /// Something is known at a layer's output, or no longer.
    void rankingChanged();
    /// What was told just now came of what the user did: it is to be seen at once.
    void changedByUser();

private:
    struct Group
    {
        calibscope::Role role = calibscope::Role::Unknown;
        std::vector<int> tensors;
        bool isPins = false;
    };

    void followDump();
    void followTensors(const std::vector<int>& tensors);
    void follow(const DocumentChange& change);
    void followWorkbench(const Workbench& before, const Workbench& now);
    void makeGroups();
    [[nodiscard]] std::vector<int> pinnedTensors() const;
    void setPins(const std::vector<int>& pins);
    [[nodiscard]] bool hasPins() const { return !m_groups.empty() && m_groups.back().isPins; }
    void insertPin(int tensor);
    void removePin(int tensor);
    void tellChanged(int tensor);
    [[nodiscard]] bool isOfDocument() const { return m_tensors == m_document.sharedTensors(); }
    void tellColumns(int first, int last);
    [[nodiscard]] QString decisionToolTip(int tensor) const;
    [[nodiscard]] QVariant groupData(const Group& group, int column, int role) const;
    [[nodiscard]] QVariant displayText(int tensor, int column) const;
    [[nodiscard]] QString toolTip(int tensor, int column) const;

    const Document& m_document;
    /// The document's, of the dump that is listed.
    std::shared_ptr<const DumpTensors> m_tensors;
    std::shared_ptr<const Previews::Taken> m_taken;
    std::vector<int> m_pins;  ///< rows of the last group, in rising order
    std::vector<Group> m_groups;
    std::vector<std::pair<int, int>> m_places;  ///< of each tensor: group and row in it
    /// As far as they were asked for: thousands of rows are sorted by them.
    mutable std::map<int, std::optional<double>> m_gains;
};

}  // namespace calibscope
