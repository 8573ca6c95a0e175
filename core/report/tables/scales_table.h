// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/file_identity.h"
#include "core/calibrators/calibrator.h"
#include "core/metrics/metric.h"
#include "core/recipes/outcome.h"
#include "core/report/tables/table.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace calibscope {

/// The squared errors of all activations of a network, added up for each choice: the quantization
/// error that Moffett adds over the outputs of all layers.
class ErrorTotals
{
public:
    /// Weights, and outcomes without the metric, add nothing.
    void add(const Outcome& outcome);

    /// [{"recipe": ..., "activations": ..., "squared_error": ...}, ...] in the order of first
    /// appearance; "preset" or "calibrator" where the choice is of no recipe.
    [[nodiscard]] std::string json() const;

private:
    struct Total
    {
        std::string kind;  ///< "recipe", "preset", "calibrator"
        std::string id;    ///< of a calibrator with its settings
        std::uint64_t activations = 0;
        double squaredError = 0.0;
    };
    std::vector<Total> m_totals;
};

/// A column of the results of a tensor under a choice, once for every place that shows them. One is
/// added here alone; the files, the window, the pages and the paper take theirs from it.
struct ResultColumn
{
    /// How people read its number; files hold all digits of what was computed.
    enum class Style { Significant, Decibels, Share };

    std::string id;               ///< in CSV and JSON
    std::string title;            ///< for people, without the unit
    std::string tableTitle = {};  ///< of text tables; empty: the id with spaces
    std::string unit = {};        ///< of the title
    std::string summary = {};     ///< one sentence
    bool isNumeric = true;
    Style style = Style::Significant;
    int digits = 4;      ///< significant ones in the window
    int pageDigits = 4;  ///< and on pages
    Metric::Better better = Metric::Better::Neither;
    bool isMetric = false;     ///< estimated where the metrics are
    bool isOfChannels = true;  ///< in the JSON of channels, too
    int windowOrder = 0;       ///< place in the window's table; 0: not there
    bool isOnPages = false;    ///< HTML
    bool isOnPaper = false;    ///< PDF, which has less room
    /// Its value; either is set: of the choice, the same for all channels, or of a row.
    Cell (*ofChoice)(const Outcome& outcome, const Cell& channel) = nullptr;
    std::function<Cell(const ScaleRow& row)> ofRow = nullptr;

    /// The number of a row. Requires ofRow.
    [[nodiscard]] std::optional<double> number(const ScaleRow& row) const;
    /// " ± 0.03" behind an estimated number in decibels; else empty.
    [[nodiscard]] std::string bar(const ScaleRow& row) const;
    /// Whether the row's value is not an estimate.
    [[nodiscard]] bool isExact(const ScaleRow& row) const
    {
        return isMetric ? row.hasExactMetrics : row.isExact;
    }
};

/// All of them, in the order of the files.
[[nodiscard]] const std::vector<ResultColumn>& resultColumns();
/// The column of that id. Throws std::invalid_argument if there is none.
[[nodiscard]] const ResultColumn& resultColumn(std::string_view id);

/// Columns of `calib scales` and of a report's scales.csv, in their order. Those of the metrics
/// come from their descriptors.
[[nodiscard]] const std::vector<Column>& scaleColumns();

/// Rows of an outcome: one for a scale per tensor; for scales per channel first one with channel
/// `*`, then, if asked for, one for each channel. Nothing for an outcome with a problem.
[[nodiscard]] std::vector<std::vector<Cell>> scaleRows(const Outcome& outcome, bool withChannels);

/// An outcome as a JSON object: the same names as the columns, with `channels` an object of arrays.
/// An iteration is summed up in `trace`; with `withCurve` curve and steps are given too.
[[nodiscard]] std::string outcomeJson(const Outcome& outcome, bool withChannels, bool withCurve);

/// JSON in front of the outcomes, version and files, and behind them, the errors of the activations,
/// added up.
[[nodiscard]] std::string scalesJsonBegin(std::span<const FileIdentity> files);
[[nodiscard]] std::string scalesJsonEnd(const ErrorTotals& totals);

}  // namespace calibscope
