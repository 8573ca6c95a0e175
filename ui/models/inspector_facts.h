// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/metrics/sqnr_limits.h"
#include "core/protocol/messages.h"
#include "core/recipes/recipe.h"
#include "core/recipes/sample_study.h"
#include "ui/document/outcome_rows.h"
#include "ui/document/sqnr_overview.h"

#include <QString>
#include <QStringList>

#include <optional>
#include <utility>
#include <vector>

namespace calibscope {

/// A heading, and under it lines of name and value or whole sentences.
struct FactSection
{
    QString title;
    std::vector<std::pair<QString, QString>> facts;
    QStringList sentences;
};

/// Figures that the cards round or have no room for; empty without a result.
[[nodiscard]] FactSection resultFacts(const OutcomeRow& row);
/// Whether the samples are enough for it, and whether others would have given another scale.
/// Whether its samples are enough, in one sentence without a name.
[[nodiscard]] QString studyAnswer(const SampleStudy& study);
[[nodiscard]] FactSection studyFacts(const SampleStudy& study);
/// Counts, ends and moments of a tensor.
[[nodiscard]] FactSection statisticsFacts(const TensorProfile& profile);
/// A recipe, the statements of its source, and the choices where that is silent.
[[nodiscard]] std::vector<FactSection> recipeFacts(const Recipe& recipe);
/// The tensors as they stand, as far as it is known: how many reach which limit, and the median and
/// the lowest SQNR of each role; empty while nothing is known.
[[nodiscard]] FactSection overviewFacts(const SqnrOverview& overview, const SqnrLimits& limits);
/// Where a tensor lies in its file and how it was understood.
[[nodiscard]] FactSection provenanceFacts(const TensorInfo& tensor);

/// The magnitude below which the share `rank` (0 to 1) of the counted values lies, linear inside a
/// bin; nothing for an empty histogram. Requires the magnitude domain.
[[nodiscard]] std::optional<double> estimatedQuantile(const Histogram& magnitudes, double rank);

}  // namespace calibscope
