// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>
#include <QSortFilterProxyModel>
#include <QString>

#include <algorithm>
#include <functional>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace calibscope {

/// Sorts a table of which some rows have no number: these come last, whichever end is first.
class KnownFirst : public QSortFilterProxyModel
{
public:
    using QSortFilterProxyModel::QSortFilterProxyModel;

protected:
    [[nodiscard]] bool lessThan(const QModelIndex& left, const QModelIndex& right) const override
    {
        const bool hasLeft = left.data(sortRole()).isValid();
        const bool hasRight = right.data(sortRole()).isValid();
        if (hasLeft != hasRight)
            return (sortOrder() == Qt::AscendingOrder) == hasLeft;
        return hasLeft && QSortFilterProxyModel::lessThan(left, right);
    }
};

/// How a cell stands out.
enum class Grade {
    Plain,
    Faint,
    Disabled,
    Bold,
    Link,
    Warning,
    Severe,
    MoreInB,  ///< of two recordings
    LessInB,
};

/// Of the application's palette as it is now; invalid for Plain.
[[nodiscard]] QVariant gradeFont(Grade grade);
[[nodiscard]] QVariant gradeInk(Grade grade);

/// A column of a table: its words, and the cell of a row.
template <typename Row>
struct TableColumn
{
    using Text = std::function<QString(const Row&)>;
    using Number = std::function<std::optional<double>(const Row&)>;
    using Grading = std::function<Grade(const Row&)>;

    QString title;  ///< with the unit
    QString help;   ///< empty: the title says all
    Text text;
    Number number = {};  ///< rows are sorted by it, and it is copied with all digits; else the text
    Grading grade = {};  ///< else the table's
    Text toolTip = {};   ///< else the table's
    Qt::AlignmentFlag align = Qt::AlignLeft;
    bool isOfGreatest = false;  ///< several rows together are sorted by the greatest of them
    /// A cell's box is ticked or not; nothing: it has none.
    std::function<std::optional<bool>(const Row&)> ticked = {};
    std::function<void(const Row&, bool)> tick = {};  ///< what a click on the box does

    TableColumn& graded(Grading grading)
    {
        grade = std::move(grading);
        return *this;
    }
    TableColumn& sortedBy(Number key, bool byGreatest = false)
    {
        number = std::move(key);
        isOfGreatest = byGreatest;
        return *this;
    }
    TableColumn& withToolTip(Text shown)
    {
        toolTip = std::move(shown);
        return *this;
    }
};

/// A table: its columns, and tool tip, grade and further roles of whole rows.
template <typename Row>
struct TableDescriptor
{
    std::vector<TableColumn<Row>> columns;
    std::function<QString(const Row&)> toolTip = {};  ///< without it the cell's text
    std::function<Grade(const Row&)> grade = {};
    std::function<QVariant(const Row&, int role)> roles = {};  ///< beyond those of cells

    using Column = TableColumn<Row>;
    Column& add(const QString& title, const QString& help, typename Column::Text text)
    {
        return columns.emplace_back(Column{.title = title, .help = help, .text = std::move(text)});
    }
    /// Aligned as numbers are.
    Column& addRight(const QString& title, const QString& help, typename Column::Text text)
    {
        Column& column = add(title, help, std::move(text));
        column.align = Qt::AlignRight;
        return column;
    }
    Column& addNumber(const QString& title, const QString& help, typename Column::Text text,
                      typename Column::Number number)
    {
        Column& column = addRight(title, help, std::move(text));
        column.number = std::move(number);
        return column;
    }
};

/// Sort key of a table's cell: a number, or a text; invalid where there is no number.
constexpr int tableSortRole = Qt::UserRole + 1;
/// The first role that a table may use for its own ends.
constexpr int tableUserRole = Qt::UserRole + 2;

/// Rows as a table model, by a descriptor.
template <typename Row>
class TableModel : public QAbstractTableModel
{
public:
    /// Rows that belong to somebody else: asked at each look.
    using Source = std::function<std::span<const Row>()>;

    explicit TableModel(TableDescriptor<Row> table, QObject* parent = nullptr)
        : QAbstractTableModel(parent),
          m_table(std::move(table)),
          m_source([this] { return std::span<const Row>(m_rows); })
    {}
    TableModel(TableDescriptor<Row> table, Source source, QObject* parent = nullptr)
        : QAbstractTableModel(parent), m_table(std::move(table)), m_source(std::move(source))
    {
        refresh();
    }

    void setRows(std::vector<Row> rows)
    {
        beginResetModel();
        m_rows = std::move(rows);
        m_count = static_cast<int>(m_rows.size());
        endResetModel();
    }
    void setTable(TableDescriptor<Row> table)
    {
        beginResetModel();
        m_table = std::move(table);
        endResetModel();
    }
    /// The source has other rows.
    void refresh()
    {
        beginResetModel();
        m_count = static_cast<int>(m_source().size());
        endResetModel();
    }
    /// The source has changed that row.
    void refresh(int row)
    {
        if (row < m_count)
            Q_EMIT dataChanged(index(row, 0), index(row, columnCount() - 1));
    }
    [[nodiscard]] const Row& row(int index) const
    {
        return m_source()[static_cast<std::size_t>(index)];
    }

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override
    {
        return parent.isValid() ? 0 : m_count;
    }
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override
    {
        return parent.isValid() ? 0 : static_cast<int>(m_table.columns.size());
    }
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override
    {
        // The source may have other rows already: refresh() is to follow.
        if (!index.isValid() || index.row() >= std::ssize(m_source()))
            return {};
        const Row& row = this->row(index.row());
        const TableColumn<Row>& column = columnAt(index.column());
        switch (role) {
        case Qt::DisplayRole: return column.text(row);
        case Qt::ToolTipRole:
            return column.toolTip    ? column.toolTip(row)
                   : m_table.toolTip ? m_table.toolTip(row)
                                     : column.text(row);
        case Qt::TextAlignmentRole: return int(column.align | Qt::AlignVCenter);
        case Qt::CheckStateRole: {
            const auto ticked = column.ticked ? column.ticked(row) : std::nullopt;
            return ticked ? QVariant(*ticked ? Qt::Checked : Qt::Unchecked) : QVariant();
        }
        case Qt::FontRole: return gradeFont(grade(column, row));
        case Qt::ForegroundRole: return gradeInk(grade(column, row));
        case tableSortRole: {
            if (!column.number)
                return column.text(row);
            const std::optional<double> number = column.number(row);
            return number ? QVariant(*number) : QVariant();
        }
        default: return m_table.roles ? m_table.roles(row, role) : QVariant();
        }
    }
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override
    {
        const bool hasBox = data(index, Qt::CheckStateRole).isValid();
        return QAbstractTableModel::flags(index) |
               (hasBox ? Qt::ItemIsUserCheckable : Qt::NoItemFlags);
    }
    bool setData(const QModelIndex& index, const QVariant& value, int role) override
    {
        if (role != Qt::CheckStateRole || !data(index, role).isValid())
            return false;
        columnAt(index.column()).tick(row(index.row()), value.toInt() == Qt::Checked);
        return true;
    }
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role) const override
    {
        if (orientation != Qt::Horizontal || section < 0 || section >= columnCount())
            return {};
        const TableColumn<Row>& column = columnAt(section);
        switch (role) {
        case Qt::DisplayRole: return column.title;
        case Qt::ToolTipRole: return column.help.isEmpty() ? column.title : column.help;
        case Qt::TextAlignmentRole: return int(column.align | Qt::AlignVCenter);
        default: return {};
        }
    }

    [[nodiscard]] const TableColumn<Row>& columnAt(int section) const
    {
        return m_table.columns[static_cast<std::size_t>(section)];
    }

private:
    [[nodiscard]] Grade grade(const TableColumn<Row>& column, const Row& row) const
    {
        return column.grade ? column.grade(row) : m_table.grade ? m_table.grade(row) : Grade::Plain;
    }

    TableDescriptor<Row> m_table;
    Source m_source;
    std::vector<Row> m_rows;
    int m_count = 0;  ///< of the rows at the last refresh()
};

}  // namespace calibscope
