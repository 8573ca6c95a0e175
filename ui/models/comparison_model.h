// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/compare/statistics.h"
#include "ui/models/table_model.h"
#include "ui/queries/pair_reader.h"

#include <string>
#include <vector>

namespace calibscope {

struct StatisticColumn
{
    enum { Name, A, B, Absolute, Relative, Word };
};

/// Numbers of a tensor in two recordings, and how far they are apart.
[[nodiscard]] TableDescriptor<StatisticPair> statisticsTable();

/// A calibrator on two recordings of a tensor.
struct TransferRow
{
    std::string label;
    ChoiceComparison comparison;
    bool isStanding = false;  ///< accepted, else the chosen recipe's
    bool isOfFinite = false;  ///< NaN or infinities of one recording are left out

    /// A loss from which on scales count as stale.
    static constexpr double staleDb = 1.0;
    [[nodiscard]] bool isStale() const { return comparison.sqnrLossDb().value_or(0.0) > staleDb; }
};

/// The calibrators that were compared. `standing`: id of the accepted candidate, else the chosen recipe's, which comes
/// first.
[[nodiscard]] std::vector<TransferRow> transferRows(const PairReader::Found& found,
                                                    const std::string& standing);

struct TransferColumn
{
    enum { Calibrator, ScaleA, ScaleB, Ratio, OwnDb, TransferredDb, LossDb };
};

/// Each calibrator's scales on both recordings, and the loss of B's values when A's scale stands in
/// for their own.
[[nodiscard]] TableDescriptor<TransferRow> transferTable();

}  // namespace calibscope
