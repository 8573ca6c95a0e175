// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/document/comparison.h"
#include "ui/models/name_endings.h"

#include <QAbstractItemModel>
#include <QTimer>

#include <array>
#include <map>
#include <vector>

namespace calibscope {

/// The tensors of two dumps as they belong together: those that only A or only B has, then the
/// pairs, what has changed most first. Groups without a row are left out.
class MatchModel : public QAbstractItemModel
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
    enum DataRole {
        LossRole = Qt::UserRole + 1,  ///< dB lost, a double; nothing while it is not known
        CountsARole,  ///< a QList<double> for a sparkline; empty while it is not known
        CountsBRole,  ///< in the same columns
        NeededRole,   ///< int: index of the part of a name that no other of its group has
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

    [[nodiscard]] QModelIndex index(int row, int column,
                                    const QModelIndex& parent = {}) const override;
    [[nodiscard]] QModelIndex parent(const QModelIndex& child) const override;
    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role) const override;

private:
    struct Rows
    {
        Group group = Group::Pairs;
        std::vector<int> places;  ///< in the order in which they are shown
    };

    void reset();
    void fill();
    void changeColumns();
    void changeRow(int pair);
    [[nodiscard]] bool isShown(Group group, int place) const;
    [[nodiscard]] std::vector<int> sorted(Group group, std::vector<int> places) const;
    void sortByText(std::vector<int>& pairs) const;
    void sortByNumber(std::vector<int>& pairs, int sortColumn) const;
    [[nodiscard]] std::optional<double> number(int pair, int column) const;
    [[nodiscard]] const TensorInfo& tensorOf(Group group, int place) const;
    [[nodiscard]] const TensorInfo& counterpartOf(int pair) const;
    [[nodiscard]] QVariant neededFrom(const Place& place) const;
    [[nodiscard]] QString groupTitle(Group group) const;
    [[nodiscard]] QString text(const Place& place, int column) const;
    [[nodiscard]] QString pairText(int pair, int column) const;
    [[nodiscard]] QString toolTip(const Place& place, int column) const;
    [[nodiscard]] bool isFaint(const Place& place, int column) const;

    Comparison& m_comparison;
    std::vector<Rows> m_rows;
    std::vector<int> m_rowOfPair;  ///< -1: left out
    std::vector<CandidateName> m_candidates;
    mutable std::map<Group, NameEndings> m_endings;  ///< as far as they were asked for
    QString m_filter;
    double m_leastSteps = 0.0;
    int m_sortColumn = -1;
    Qt::SortOrder m_order = Qt::AscendingOrder;
    QTimer m_later;
};

/// By which rule a counterpart was found, for readers.
[[nodiscard]] QString matchRuleTitle(MatchRule rule);

}  // namespace calibscope
