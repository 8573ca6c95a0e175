// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/report/describe/report_data.h"
#include "ui/plot/picture.h"
#include "ui/plot/plot_content.h"
#include "ui/report/report_options.h"

#include <QString>

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace calibscope {

/// A plot of a tensor's page.
struct ReportPlot
{
    std::string word;  ///< "histogram", "curve", "channels": the end of its files' names
    std::shared_ptr<const PlotContent> content;
    int height = 0;              ///< of a picture that is 1000 wide
    std::vector<QString> shown;  ///< the calibrators in it, with what differs from their defaults
};

/// Histogram of |x| (of x where a scheme is affine) with the clip ranges; the curves that were
/// searched; with `withChannels` the scales of the channels: those of the first result that has
/// them, else what the largest magnitude of each would give.
[[nodiscard]] std::vector<ReportPlot> reportPlots(const report::ReportedTensor& part, bool isDark,
                                                  bool withChannels);

/// Title, size and theme of its picture. `provenance` stands below it, and what it shows.
[[nodiscard]] PictureSettings reportPicture(const report::ReportedTensor& part,
                                            const ReportPlot& plot, bool isDark,
                                            const QString& provenance);

/// Histograms that reportPlots() and the report's front page draw.
[[nodiscard]] std::vector<HistogramSpec> reportHistograms();

/// Origin of a picture: the file's name and the beginning of its SHA-256, the dataset, our
/// version.
[[nodiscard]] QString provenanceLine(const report::Source& source, const TensorInfo& tensor);

/// Versions and options that made a report, as names and values. Nothing of it changes from one
/// run to the next on a system.
[[nodiscard]] std::vector<std::pair<std::string, std::string>>
reportEnvironment(const ReportOptions& options, const std::vector<Recipe>& recipes,
                  std::size_t tensorsShown, std::size_t tensorsInAll);

}  // namespace calibscope
