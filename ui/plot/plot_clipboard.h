#pragma once

#include "ui/plot/plot_table.h"

#include <memory>

class QMimeData;

namespace calibscope {

class PlotContent;
struct PictureSettings;

/// A picture as PNG and as SVG; the receiver takes what it prefers.
[[nodiscard]] std::unique_ptr<QMimeData> pictureMime(const PlotContent& content,
                                                     const PictureSettings& settings);
/// A table as text with tabs, as `text/plain` and as `text/tab-separated-values`.
[[nodiscard]] std::unique_ptr<QMimeData> tableMime(const PlotTable& table);

void copyPlotPicture(const PlotContent& content, const PictureSettings& settings);
void copyPlotTable(const PlotTable& table);

}  // namespace calibscope
