// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/document/outcome_rows.h"
#include "ui/models/result_columns.h"

#include <QAbstractTableModel>

#include <functional>
#include <string>
#include <vector>

namespace calibscope {

/// The numbers of a tensor's calibrators side by side, in the order of their cards, the best of each
/// column marked. Column 0 is
/// the calibrator with its check box, column 1 + k the k-th of windowColumns(), then the recipes
/// that use it, and, where a range was imported, how far that is from the row's.
class ResultModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    static constexpr int sortRole = Qt::UserRole;  ///< a number, or a text in the outer columns
    static constexpr int exactRole = Qt::UserRole + 1;  ///< as a text with all digits

    /// Where the rows stand: asked at each look, as Questions::rows() are valid until they change.
    using Rows = std::function<const std::vector<OutcomeRow>&()>;

    /// Lists none until refresh().
    explicit ResultModel(Rows rows, QObject* parent = nullptr);

    /// The rows are others, or hold something else.
    void refresh();
    /// The row that others are compared with; empty or unknown: none.
    void setBaseline(const std::string& id);
    /// Shows what each value has more than the baseline's.
    void setDifferences(bool areShown);

    /// nullptr: the rows are others already, and refresh() is to follow.
    [[nodiscard]] const OutcomeRow* row(int index) const;
    /// Nothing in that column is better, but something is worse.
    [[nodiscard]] bool isBest(int row, int column) const;
    /// Place of that candidate; -1 if there is none.
    [[nodiscard]] int rowOf(const std::string& id) const;
    [[nodiscard]] static int columnOf(std::string_view resultId);
    [[nodiscard]] static const ResultColumn* resultOf(int column);  ///< nullptr of the outer ones
    /// Whether it is the last one, which is there where a range was imported.
    [[nodiscard]] static bool isDeviation(int column);
    /// All cells as lines of cells with tabs between, heads first, numbers with all their digits.
    [[nodiscard]] QString tabSeparated() const;

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role) const override;
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;

Q_SIGNALS:
    /// The user wants the row of that candidate drawn or not; refresh() is to follow.
    void tickRequested(const std::string& id, bool isTicked);

private:
    [[nodiscard]] std::optional<double> value(int row, int column) const;
    /// By how many percent the imported row's wider end is beyond that of this row: where both have
    /// a range for each channel, of the channels the least and the most.
    [[nodiscard]] std::optional<Range> deviations(int row) const;
    /// The one of them that is farther from 0.
    [[nodiscard]] std::optional<double> deviation(int row) const;
    [[nodiscard]] QString text(int row, int column) const;
    [[nodiscard]] QString exactText(int row, int column) const;
    [[nodiscard]] QVariant decoration(const OutcomeRow& shown, const QModelIndex& index) const;
    [[nodiscard]] static QString toolTip(const OutcomeRow& shown);
    void findBest();

    Rows m_rows;
    std::vector<std::size_t> m_order;  ///< of the rows: that of their cards
    std::vector<std::string> m_ids;    ///< of the rows' candidates, in that order
    std::vector<QString> m_best;  ///< by column, the text of the best value; empty: none stands out
    bool m_hasImported = false;
    std::string m_baseline;
    bool m_showsDifferences = false;
};

}  // namespace calibscope
