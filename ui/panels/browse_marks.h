// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/stats/profile.h"
#include "ui/charts/error_content.h"
#include "ui/charts/heat_content.h"
#include "ui/charts/histogram_content.h"
#include "ui/charts/learning_content.h"
#include "ui/charts/marks.h"
#include "ui/document/outcome_rows.h"
#include "ui/queries/study_reader.h"
#include "ui/theme/chart_colors.h"

#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace calibscope {

/// Marks for the plots of a tensor, made from its calibrators' results.

/// The clip range that is drawn of a row on data with these extents: of a manual range what it
/// is now, computed or not, of others that of their result; nothing if none is drawn.
[[nodiscard]] std::optional<Range> drawnClip(const OutcomeRow& row, const Extents& extents);
/// Clip ranges of the rows that are drawn, the ticked ones and that of the open card; the proposed
/// one is emphasised.
[[nodiscard]] std::vector<ThresholdMark>
thresholdMarks(std::span<const OutcomeRow> rows, const Extents& extents, const ChartColors& colors);
/// Curves of the rows that are drawn and searched one, beside histograms of that domain.
[[nodiscard]] std::vector<CurveMark> curveMarks(std::span<const OutcomeRow> rows,
                                                const TensorProfile& profile, Domain domain,
                                                const ChartColors& colors);
/// A ticked row has searched a curve, or is doing so.
[[nodiscard]] bool mayHaveCurve(std::span<const OutcomeRow> rows);
/// Why there is no curve to draw, as a sentence.
[[nodiscard]] QString noCurveText(std::span<const OutcomeRow> rows);

/// The row whose error and quantized histogram are shown: the proposed one, while it has no result
/// the chosen recipe's choice, else the first that is drawn; nullptr where none has a result.
[[nodiscard]] const OutcomeRow* rowInFocus(std::span<const OutcomeRow> rows);

/// The error of a row's quantizer in the bins of a histogram. Requires a result and one scale for
/// all values.
[[nodiscard]] ErrorMark errorMark(const OutcomeRow& row, const TensorProfile& profile,
                                  const Histogram& bins, const ChartColors& colors);

/// A histogram after a row's quantizer; nothing where each channel has its own. Requires a
/// result.
[[nodiscard]] std::optional<QuantizedMark> quantizedMark(const OutcomeRow& row,
                                                         const TensorProfile& profile,
                                                         const Histogram& bins,
                                                         const ChartColors& colors);

/// Min-max's choice after each batch, where such a row is ticked: its clip range follows
/// from the batches' extents. Others need the values.
[[nodiscard]] std::vector<HeatPath> heatPaths(std::span<const OutcomeRow> rows,
                                              const TensorProfile& profile,
                                              const ChartColors& colors);

/// The learning curves of the rows that are drawn, as far as they are known.
struct LearningMarks
{
    std::vector<LearningMark> curves;
    QString unit;    ///< "batches" or "samples"
    QString answer;  ///< whether the samples are enough for the recipe's choice, else the first one
    QString reason;  ///< why there is none, a sentence; blank: some are to come
};
[[nodiscard]] LearningMarks
learningMarks(std::span<const OutcomeRow> rows,
              const std::function<StudyReader::Found(const Choice& choice)>& studyOf,
              const ChartColors& colors);

/// "clipped 0.12 %   SQNR 31.2 dB   MSE 3.1e-05", each with ≈ where it is estimated.
[[nodiscard]] QString resultText(const OutcomeRow& row);

}  // namespace calibscope
