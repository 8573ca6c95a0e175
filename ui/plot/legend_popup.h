// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/plot/plot_content.h"
#include "ui/theme/chart_colors.h"

#include <QFrame>

#include <vector>

namespace calibscope {

/// A legend that had no room in its plot, until the next click or key.
class LegendPopup : public QFrame
{
    Q_OBJECT

public:
    LegendPopup(std::vector<LegendEntry> entries, const ChartColors& colors, QWidget* parent);

    /// With its upper left corner there, or as near as the screen allows.
    void openAt(const QPoint& globalCorner);
    [[nodiscard]] const std::vector<LegendEntry>& entries() const { return m_entries; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    std::vector<LegendEntry> m_entries;
    ChartColors m_colors;
};

}  // namespace calibscope
