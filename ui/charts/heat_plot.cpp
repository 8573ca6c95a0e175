#include "ui/charts/heat_plot.h"

#include "ui/theme/palettes.h"

#include <QEvent>

namespace calibscope {

HeatPlot::HeatPlot(QWidget* parent) : PlotView(std::make_unique<HeatContent>(), parent)
{
    connect(this, &PlotView::clicked, this, [this](const QPointF& values) {
        if (const auto row = heat().rowAt(values.y()))
            Q_EMIT rowClicked(*row);
    });
    followPalette();
}

HeatContent& HeatPlot::heat() const
{
    return static_cast<HeatContent&>(content());
}

void HeatPlot::setGrid(HeatGrid grid, HeatContent::Words words)
{
    heat().setGrid(std::move(grid), std::move(words));
    refresh(false);
}

void HeatPlot::clear(const QString& reason)
{
    heat().setEmpty(reason);
    refresh(false);
}

void HeatPlot::setPaths(std::vector<HeatPath> paths)
{
    heat().setPaths(std::move(paths));
    refresh(false);
}

void HeatPlot::setRowsInUse(std::size_t rows)
{
    heat().setRowsInUse(rows);
    refresh(false);
}

void HeatPlot::followPalette()
{
    heat().setDark(isDark(palette()));
}

void HeatPlot::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::PaletteChange)
        followPalette();
    PlotView::changeEvent(event);
}

}  // namespace calibscope
