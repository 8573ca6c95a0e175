// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/calibrators/format_plots.h"

#include "ui/charts/bins_content.h"
#include "ui/charts/rate_content.h"
#include "ui/charts/slice_content.h"
#include "ui/plot/number_label.h"
#include "ui/theme/chart_colors.h"
#include "ui/widgets/parts_label.h"
#include "ui/widgets/plot_splitter.h"
#include "ui/widgets/segments.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QPushButton>
#include <QStackedWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace calibscope {

namespace {

/// Finite values of the cells that were read.
Range mapRange(const Slice& cells)
{
    Range range{std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
    for (const float cell : cells.low)
        if (std::isfinite(cell))
            range = {std::min(range.low, static_cast<double>(cell)),
                     std::max(range.high, static_cast<double>(cell))};
    return range.low <= range.high ? range : Range{};
}

}  // namespace

FormatPlots::FormatPlots(QWidget* parent)
    : QWidget(parent),
      m_switch(new Segments(this)),
      m_measures(new QComboBox(this)),
      m_facts(new ElidedLabel(Qt::ElideRight, this)),
      m_ownMaximum(new QPushButton(tr("Ow&n maximum"), this)),
      m_stack(new QStackedWidget(this)),
      m_curve(new RatePlot(this)),
      m_scales(new BinsPlot(this)),
      m_maxima(new BinsPlot(this)),
      m_blocks(new SlicePlot(this)),
      m_levels(new BinsPlot(this))
{
    m_curve->setAccessibleName(tr("SQNR by effective bits of number formats"));
    m_scales->setAccessibleName(tr("Blocks by their scale"));
    m_maxima->setAccessibleName(tr("Blocks by their largest magnitude"));
    m_blocks->setAccessibleName(tr("Map of the blocks"));
    m_blocks->setAccessibleDescription(tr("Arrows choose a block."));
    m_levels->setAccessibleName(tr("Values over the scale of their block, and levels"));
    auto* halves = new PlotSplitter(Qt::Horizontal, m_stack);
    halves->addWidget(m_scales);
    halves->addWidget(m_maxima);
    for (QWidget* page : std::initializer_list<QWidget*>{m_curve, halves, m_blocks, m_levels})
        m_stack->addWidget(page);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins({});
    layout->setSpacing(2);
    layout->addWidget(makeBar());
    layout->addWidget(m_stack, 1);
    for (PlotView* plot :
         std::initializer_list<PlotView*>{m_curve, m_scales, m_maxima, m_blocks, m_levels})
        connect(plot, &PlotView::readoutChanged, this, &FormatPlots::readoutChanged);
    connect(m_switch, &Segments::chosen, this, [this] {
        showPlot();
        Q_EMIT plotChosen();
    });
    connect(m_measures, &QComboBox::activated, this, [this] { showBlocks(false); });
    connect(m_blocks, &SlicePlot::chosen, this, &FormatPlots::chooseCell);
    connect(m_blocks, &SlicePlot::moved, this, &FormatPlots::moveBy);
    connect(m_ownMaximum, &QPushButton::clicked, this,
            [this] { Q_EMIT maximumChosen(std::nullopt); });
    connect(m_maxima, &PlotView::handleMoved, this,
            [this](const QString&, double value, bool isFinal) {
                showMaxima(std::exp2(value));
                if (isFinal)
                    Q_EMIT maximumChosen(m_maximum);
            });
    clearMap({});
    showPlot();
}

QWidget* FormatPlots::makeBar()
{
    auto* bar = new QWidget(this);
    m_switch->setAccessibleName(tr("Plot of the formats"));
    m_switch->add(tr("S&QNR by bits"), tr("All formats: SQNR against effective bits"));
    m_switch->add(tr("&Scales"), tr("Blocks of the chosen format by their scale"));
    m_switch->add(tr("Bloc&k map"), tr("Rows by groups of the chosen format as colours"));
    m_switch->add(tr("Levels"), tr("Values over the numbers that the chosen format has"));
    m_measures->setAccessibleName(tr("What the map shows"));
    for (const MapMeasure measure :
         {MapMeasure::Scale, MapMeasure::Sqnr, MapMeasure::Saturated, MapMeasure::Flushed})
        m_measures->addItem(measureName(measure));
    m_measures->setCurrentIndex(static_cast<int>(MapMeasure::Sqnr));
    m_ownMaximum->setToolTip(tr("The tensor's largest magnitude instead of the one set here"));
    auto* line = new QHBoxLayout;
    line->addWidget(m_switch);
    line->addWidget(m_measures);
    line->addStretch(1);
    line->addWidget(m_ownMaximum);
    auto* layout = new QVBoxLayout(bar);
    layout->setContentsMargins({});
    layout->setSpacing(2);
    layout->addLayout(line);
    layout->addWidget(m_facts);
    return bar;
}

FormatPlots::Plot FormatPlots::chosen() const
{
    return static_cast<Plot>(m_switch->current());
}

void FormatPlots::choose(Plot plot)
{
    m_switch->setCurrent(static_cast<int>(plot));
    showPlot();
    Q_EMIT plotChosen();
}

PlotView& FormatPlots::current() const
{
    switch (chosen()) {
    case Plot::Curve: return *m_curve;
    case Plot::Scales: return m_maxima->hasFocus() ? *m_maxima : *m_scales;
    case Plot::Blocks: return *m_blocks;
    case Plot::Levels: return *m_levels;
    }
    return *m_curve;
}

void FormatPlots::showPlot()
{
    m_stack->setCurrentIndex(m_switch->current());
    m_measures->setVisible(chosen() == Plot::Blocks);
    showFacts();
}

void FormatPlots::showMap(const BlockFormat& format, std::shared_ptr<const FormatMap> map)
{
    const bool isOther = !m_format || m_format->id != format.id || !m_map;
    m_format = format;
    m_map = std::move(map);
    const auto zoom = isOther ? BinsPlot::Zoom::ShowAll : BinsPlot::Zoom::Keep;
    m_scales->setMark(scalesMark(format, *m_map), zoom);
    m_levels->setMark(levelsMark(format, *m_map), zoom);
    m_maximum = tensorMaximum(format, *m_map);
    drawMaxima(maximaMark(*m_map, m_maximum), zoom);
    showBlocks(isOther);
    showFacts();
}

void FormatPlots::clearMap(const QString& reason)
{
    m_map.reset();
    m_maximum.reset();
    for (BinsPlot* plot : {m_scales, m_maxima, m_levels})
        plot->clear(reason);
    m_blocks->clear(reason);
    m_blocks->setGhost({});
    showFacts();
}

/// Live, while the handle is dragged: what follows from another maximum is asked for at its end.
void FormatPlots::showMaxima(double maximum)
{
    if (!m_map)
        return;
    m_maximum = maximum;
    BinsMark mark = maximaMark(*m_map, maximum);
    mark.all = m_maxima->shown().mark().all;  // nothing moves under the pointer
    drawMaxima(std::move(mark), BinsPlot::Zoom::Keep);
    showFacts();
}

void FormatPlots::drawMaxima(BinsMark mark, BinsPlot::Zoom zoom)
{
    if (mark.handle)
        mark.handle->color = manualStyle(chartColors(palette())).color;
    m_maxima->setMark(std::move(mark), zoom);
}

void FormatPlots::showBlocks(bool isOther)
{
    if (!m_map)
        return;
    const auto measure = static_cast<MapMeasure>(m_measures->currentIndex());
    const Slice& cells = measureOf(*m_map, measure).cells;
    SliceContent& content = m_blocks->shown();
    content.setExtent(cells.rowCount, cells.columnCount);
    content.setSlices(SliceContent::Shared(m_map, &cells), nullptr);
    content.setRange(mapRange(cells));
    content.setWords({.rows = tr("row"),
                      .columns = tr("block of the row"),
                      .counted = tr("blocks"),
                      .isOneSided = true,
                      .at = [this, measure](std::uint64_t row, std::uint64_t column) {
                          return mapCellText(*m_map, measure, row, column);
                      }});
    m_blocks->update(isOther);
    setBlock(m_block);
}

void FormatPlots::setBlock(std::optional<std::uint64_t> block)
{
    m_block = block;
    if (!m_map || !block)
        return m_blocks->setGhost({});
    const std::uint64_t across = m_map->scale.cells.columnCount;
    m_blocks->setChosen(*block / across, *block % across);
}

void FormatPlots::setLogCount(bool isLog)
{
    for (BinsPlot* plot : {m_scales, m_maxima, m_levels})
        plot->setLogCount(isLog);
}

void FormatPlots::showFacts()
{
    const bool hasWindow = chosen() == Plot::Scales && m_map && m_maximum;
    m_ownMaximum->setVisible(hasWindow && m_format->tensorMaximum.has_value());
    m_maxima->setVisible(!m_format || !m_map || !m_map->maxima.counts.empty());
    QString text;
    if (hasWindow)
        text = tr("Window of the maximum: %1 to %2; %3 % of the blocks lie outside.")
                   .arg(valueLabel(*m_maximum / 28672.0, 3), valueLabel(*m_maximum),
                        valueLabel(100.0 * shareOutside(*m_map, *m_maximum), 3));
    else if (m_map && chosen() == Plot::Levels)
        text = tr("%1 % saturate, %2 % become 0.")
                   .arg(valueLabel(100.0 * m_map->errors.saturatedShare(), 3),
                        valueLabel(100.0 * m_map->errors.flushedShare(), 3));
    if (m_map && chosen() != Plot::Curve)
        text = tr("%1: %2 dB. %3")
                   .arg(QString::fromStdString(m_format->id.substr(0, m_format->id.find(':'))),
                        dbLabel(m_map->errors.sqnrDb()), text);
    m_facts->setText(text.trimmed());
    m_facts->setVisible(!text.isEmpty());
}

QString FormatPlots::facts() const
{
    return m_facts->text();
}

/// The block whose number the cell shows.
void FormatPlots::chooseCell(std::uint64_t row, std::uint64_t column)
{
    if (!m_map)
        return;
    const BlockMeasure& measure =
        measureOf(*m_map, static_cast<MapMeasure>(m_measures->currentIndex()));
    const Slice& cells = measure.cells;
    const std::uint64_t cell = cells.cell(row / cells.rowStep, column / cells.columnStep);
    Q_EMIT blockChosen((cells.marks[cell] & Slice::IsUnread) != 0 ? row * cells.columnCount + column
                                                                  : measure.blocks[cell]);
}

void FormatPlots::moveBy(int rows, int columns)
{
    if (!m_map)
        return;
    const Slice& cells = m_map->scale.cells;
    const auto moved = [](std::uint64_t from, int by, std::uint64_t step, std::uint64_t count) {
        const auto to = static_cast<std::int64_t>(from) + by * static_cast<std::int64_t>(step);
        return static_cast<std::uint64_t>(
            std::clamp<std::int64_t>(to, 0, static_cast<std::int64_t>(count) - 1));
    };
    const std::uint64_t block = m_block.value_or(0);
    const std::uint64_t row = moved(block / cells.columnCount, rows, cells.rowStep, cells.rowCount);
    const std::uint64_t column =
        moved(block % cells.columnCount, columns, cells.columnStep, cells.columnCount);
    m_blocks->reveal(row, column);
    chooseCell(row, column);
}

}  // namespace calibscope
