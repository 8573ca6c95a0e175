// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/results/improvement_results.h"
#include "core/results/ladder_results.h"
#include "ui/charts/whiskers.h"
#include "ui/document/deployment.h"
#include "ui/models/table_model.h"

#include <QStringList>

#include <vector>

namespace calibscope {

struct ImproveColumn
{
    enum { Layer, Gain, Precision, Channels, Rounding, Bias, Decided, Improved, Op, Changes };
};

/// The layers with the gain of each remedy, and a box where it was chosen: whether it is written.
[[nodiscard]] TableDescriptor<LayerImprovement> improveTable(Deployment& deployment);

/// The rows of a layer, each as a line; of one that can't be computed the reason.
[[nodiscard]] QStringList remedySentences(const LayerImprovement& layer);

/// "27 of 30 layers improved: channels of 3, bias of 6, 20 stay float", of what is ticked, and
/// whether gains are those of these ticks.
[[nodiscard]] QString improvedSentence(const Deployment& deployment);

struct RungColumn
{
    enum { Step, Pooled, Median, Least, Gain, Interval, Share, Accepted, Notes };
};

[[nodiscard]] TableDescriptor<LadderRung> rungTable(const Deployment& deployment);

/// Of the models that were run: a dot at the pooled SQNR, a line at the median sample's, a bar over
/// the 95 % interval of what it is over the last accepted one.
[[nodiscard]] std::vector<WhiskerRow> rungRows(const std::vector<LadderRung>& rungs);

}  // namespace calibscope
