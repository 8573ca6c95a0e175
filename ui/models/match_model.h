// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/stats/extents.h"
#include "ui/document/comparison.h"
#include "ui/models/row_list.h"
#include "ui/queries/drift_reader.h"

#include <QString>
#include <QTimer>

#include <array>
#include <optional>
#include <vector>

namespace calibscope {

/// By how many steps of A's scale the values have moved on average; nothing while it is not known.
[[nodiscard]] std::optional<double> movedSteps(const DriftRow& row);
/// Whether nothing has drifted; false while it is not known.
[[nodiscard]] bool hasNoDrift(const DriftRow& row);
/// Whether something has drifted, NaN and infinities of one recording alone included; false while
/// it is not known, and where it can't be.
[[nodiscard]] bool hasDrifted(const DriftRow& row);
/// "B has 1 NaN, A none."; empty: neither has any, or both have.
[[nodiscard]] QString unusualOfOneSentence(const Extents& a, const Extents& b);

/// The tensors of two dumps as they belong together: those that only A or only B has, then the
/// pairs, what has changed most first. Groups without a row are left out.
class MatchModel : public RowList
{
    Q_OBJECT

public:
    /// Behind these one more for each calibrator that is drawn: its scale on B over that on A.
    enum Column {
        Tensor,
        Shape,
        Counts,
        Moved,
        Kl,
        MaxRatio,
        ScaleRatio,
        LossDb,
        Counterpart,
        Rule,
        FixedColumns
    };
    enum PairRole {
        LossRole = tableUserRole,  ///< dB lost, a double; nothing while it is not known
        CountsARole,               ///< a QList<double> for a sparkline; empty while it is not known
        CountsBRole,               ///< in the same columns
    };
    enum class Group { OnlyA, OnlyB, Pairs };
    static constexpr std::array groups = {Group::OnlyA, Group::OnlyB, Group::Pairs};

    /// Row of a group; the index is in TensorMatches::onlyA, onlyB or pairs.
    struct Place
    {
        Group group = Group::Pairs;
        int place = -1;  ///< -1: the group itself
        bool operator==(const Place&) const = default;
    };

    explicit MatchModel(Comparison& comparison, QObject* parent = nullptr);

    /// Rows whose names hold none of it are left out; empty: none are.
    void setFilter(const QString& text);
    /// Pairs that moved by less than so many steps of A's scale are left out; 0: none are.
    void setLeastSteps(double steps);
    /// -1: what has changed most first.
    void sort(int column, Qt::SortOrder order = Qt::AscendingOrder) override;
    /// Rows go to where what is known by now sorts them; otherwise that happens a little later.
    void sortNow();

    /// Pairs that are listed and have drifted, the furthest first, however they are sorted.
    [[nodiscard]] std::vector<int> driftedPairs() const;

    [[nodiscard]] Place placeOf(const QModelIndex& index) const;
    [[nodiscard]] QModelIndex indexOf(const Place& place) const;  ///< invalid: not shown
    [[nodiscard]] QModelIndex indexOfGroup(Group group) const;    ///< invalid: without a row

    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role) const override;

private:
    void reset();
    void changeRow(int pair);
    [[nodiscard]] TableDescriptor<int> table() const;
    [[nodiscard]] bool isPair(int row) const { return row < m_comparison.drift().pairs(); }
    [[nodiscard]] bool isShown(int row) const;
    [[nodiscard]] Orders orders();
    [[nodiscard]] std::vector<int> byChange(bool (*isWanted)(const DriftRow& row)) const;
    [[nodiscard]] const TensorInfo& tensorOf(int row) const;
    [[nodiscard]] const TensorInfo& counterpartOf(int pair) const;
    [[nodiscard]] std::string_view nameOf(int row) const override { return tensorOf(row).name; }
    [[nodiscard]] QVariant groupData(int node, int column, int role) const override;
    using Sentence = QString (*)(const DriftRow& row);  ///< blank: none
    [[nodiscard]] QString toolTip(int row, Sentence own = nullptr) const;

    Comparison& m_comparison;
    TableModel<int> m_rows;
    std::vector<Place> m_places;  ///< by row of that table: those of pairs come first
    std::vector<Group> m_groups;  ///< that have a row
    std::vector<CandidateName> m_candidates;
    QString m_filter;
    double m_leastSteps = 0.0;
    int m_sortColumn = -1;
    Qt::SortOrder m_sortOrder = Qt::AscendingOrder;
    QTimer m_later;
};

/// By which rule a counterpart was found, for readers.
[[nodiscard]] QString matchRuleTitle(MatchRule rule);

}  // namespace calibscope
