#pragma once

#include "core/report/tables/layer_report.h"

#include <QAbstractTableModel>
#include <QString>

#include <cstddef>

namespace calibscope {

/// What each candidate on either operand would change in one layer.
class LayerCandidateModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum Column { Operand, Candidate, Output, Difference, Accept, ColumnCount };
    static constexpr int SortRole = Qt::UserRole + 1;

    using QAbstractTableModel::QAbstractTableModel;

    void setCandidates(LayerCandidates candidates);
    [[nodiscard]] const LayerCandidates& candidates() const { return m_candidates; }
    /// Whether a row is of the input, and which of its candidates.
    struct Place
    {
        bool isInput = true;
        std::size_t candidate = 0;
    };
    [[nodiscard]] Place placeOf(int row) const;
    [[nodiscard]] const CandidateEffect& effect(int row) const;

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role) const override;

private:
    [[nodiscard]] bool isBest(const Place& place) const;
    [[nodiscard]] QString text(int row, int column) const;

    LayerCandidates m_candidates;
};

/// "percentile 99.99 on the input: +6.1 dB here": the best candidate on one operand alone; blank
/// where none is better.
[[nodiscard]] QString bestSingleSentence(const LayerCandidates& candidates);
/// "Best together: percentile 99.99 and mse per channel, 31.2 dB (+6.4)."; blank without one.
[[nodiscard]] QString bestPairSentence(const LayerCandidates& candidates);

}  // namespace calibscope
