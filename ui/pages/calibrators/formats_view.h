// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/protocol/format_messages.h"
#include "ui/document/document.h"
#include "ui/models/format_model.h"
#include "ui/queries/query.h"

#include <QWidget>

#include <optional>
#include <string>
#include <vector>

class QLabel;
class QPushButton;
class QSortFilterProxyModel;
class QSpinBox;
class QTableView;

namespace calibscope {

class FormatPlots;
class PlotView;
class RatePlot;

template <>
struct QueryTraits<protocol::RateRequest>
{
    static bool isSame(const protocol::RateRequest& one, const protocol::RateRequest& other)
    {
        return one == other;
    }
    static bool isSameSubject(const protocol::RateRequest&, const protocol::RateRequest&)
    {
        return false;
    }
    static void complete(const protocol::RateRequest&, protocol::Rated&) {}
};

template <>
struct QueryTraits<protocol::FormatMapRequest>
{
    static bool isSame(const protocol::FormatMapRequest& one,
                       const protocol::FormatMapRequest& other)
    {
        return one == other;
    }
    /// Under another maximum, or in other cells.
    static bool isSameSubject(const protocol::FormatMapRequest& one,
                              const protocol::FormatMapRequest& other)
    {
        return one.tensor == other.tensor && one.format.substr(0, one.format.find(':')) ==
                                                 other.format.substr(0, other.format.find(':'));
    }
    static void complete(const protocol::FormatMapRequest&, FormatMap&) {}
};

/// The selected tensor under number formats: SQNR against effective bits or, of the chosen one,
/// scales, blocks and levels, a table of the formats, and the values of one block of the chosen one.
/// Families are computed one after the other.
class FormatsView : public QWidget
{
    Q_OBJECT

public:
    explicit FormatsView(Document& document, QWidget* parent = nullptr);

    /// The selected tensor has changed; asks for it while the view is visible.
    void showTensor();
    [[nodiscard]] RatePlot& plot() const;
    [[nodiscard]] FormatPlots& plots() const { return *m_plots; }
    [[nodiscard]] QTableView& formats() const { return *m_table; }
    [[nodiscard]] QTableView& values() const { return *m_values; }
    [[nodiscard]] QSpinBox& block() const { return *m_block; }
    [[nodiscard]] QPushButton& pythonButton() const { return *m_python; }
    [[nodiscard]] QString state() const;  ///< what is computed, or why nothing is
    [[nodiscard]] QString blockSentence() const;
    [[nodiscard]] QPushButton& acceptButton() const { return *m_accept; }
    /// The chosen format is accepted for the tensor, if it can be.
    void accept();

Q_SIGNALS:
    void readoutChanged(const QString& text);

protected:
    void showEvent(QShowEvent* event) override;

private:
    [[nodiscard]] QWidget* makeBlockPart();
    void forget();
    void askNext();
    void takeRated();
    void showFormats();
    void showSentence();
    void choose(std::size_t row);
    [[nodiscard]] const EncodedTensor* chosenRow() const;  ///< nullptr: none is there yet
    [[nodiscard]] bool isAccepted(const EncodedTensor& encoded) const;
    void showAccept();
    void askBlock(std::optional<std::uint64_t> block);
    void showBlock();
    void showPython();
    /// The chosen format, under the maximum that the user set.
    [[nodiscard]] std::string format() const;
    void setMaximum(std::optional<double> maximum);
    void askMap();
    void showMap();

    Document& m_document;
    Query<protocol::RateRequest> m_rates;
    Query<protocol::BlockRequest> m_blocks;
    Query<protocol::FormatMapRequest> m_maps;
    TableModel<EncodedTensor> m_rows;
    TableModel<BlockValue> m_blockRows;
    QSortFilterProxyModel* m_sorted;
    QSortFilterProxyModel* m_sortedValues;
    FormatPlots* m_plots;
    QLabel* m_state;
    QPushButton* m_accept;
    QTableView* m_table;
    QSpinBox* m_block;
    QPushButton* m_worst;
    QPushButton* m_python;
    QLabel* m_facts;
    QTableView* m_values;
    std::optional<TensorRef> m_tensor;  ///< that the rows are of
    std::size_t m_next = 0;             ///< family that is asked for
    std::vector<EncodedTensor> m_encoded;
    /// Why the chosen format can't be accepted, as a sentence; empty: it can.
    QString m_refused;
    QString m_code;                     ///< Python of the block; empty: there is none
    std::vector<std::size_t> m_marked;  ///< rows that the plot shows
    std::string m_chosen = "nvfp4";     ///< format, on all tensors
    std::optional<double> m_maximum;    ///< of the tensor, set by the user
    bool m_isChoosing = false;
};

}  // namespace calibscope
