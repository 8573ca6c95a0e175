#pragma once

#include "core/report/report_data.h"
#include "ui/charts/picture.h"

#include <QImage>
#include <QString>

#include <optional>

namespace calibscope {

/// The pictures of a tensor's page.
struct ReportPictures
{
    QImage histogram;
    std::optional<QImage> curve;     ///< where a calibrator searched one
    std::optional<QImage> channels;  ///< where there are channels
};

/// Histogram of |x| (of x where a scheme is affine) with the clip ranges; the curves that were
/// searched; the scales of the channels: those of the first result that has them, else what the
/// largest magnitude of each would give. `footer` stands below each.
[[nodiscard]] ReportPictures reportPictures(const report::TensorPart& part, const QString& footer);

/// Histograms that reportPictures() and the report's front page draw.
[[nodiscard]] std::vector<HistogramSpec> reportHistograms();

}  // namespace calibscope
