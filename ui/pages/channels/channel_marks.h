// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/marks.h"
#include "ui/charts/scale_rows_content.h"
#include "ui/models/channel_model.h"
#include "ui/queries/channels_reader.h"
#include "ui/theme/chart_colors.h"

#include <array>
#include <optional>
#include <string>
#include <vector>

/// What the answers about a tensor's channels look like in plots.
namespace calibscope {

using ChannelAnswers = std::array<const ChannelScalesAnswer*, 2>;

/// Title of a calibrator.
[[nodiscard]] QString calibratorTitle(const std::string& id);

/// How the first and second calibrator are drawn: in the colours that these have elsewhere. Two
/// that share one elsewhere, or the same one twice, differ here. A blank id: none.
[[nodiscard]] std::array<SeriesStyle, 2> channelRowStyles(const std::array<std::string, 2>& ids,
                                                          const ChartColors& colors);

/// Both calibrators' scales, in that order of the channels; those that are not there are left out.
[[nodiscard]] ScaleRowsMark scaleRows(const ChannelFacts& facts, const ChannelAnswers& answers,
                                      ChannelOrder order, const ChartColors& colors);

/// Clip ranges of a channel: its own by each calibrator, and the one of the whole tensor.
[[nodiscard]] std::vector<ThresholdMark>
channelThresholds(std::size_t channel, const ChannelAnswers& answers, const ChartColors& colors);

/// Text in place of the plots.
struct ChannelsNotice
{
    QString title;
    QString sentence;
    QString button = {};  ///< blank: none
};

/// Why there are no channels to show of a tensor (nullptr: none is selected); nothing: there are.
[[nodiscard]] std::optional<ChannelsNotice> whyNoChannels(const TensorInfo* tensor);

/// Why a tensor of these extents has no scales to show, as a sentence; blank: it has.
[[nodiscard]] QString nothingToShow(const Extents& extents);

/// The chosen channels after a click on one: it alone, or added to (taken from) the others.
[[nodiscard]] std::vector<std::size_t> withClicked(std::vector<std::size_t> chosen,
                                                   std::size_t channel, bool isAdded);

}  // namespace calibscope
