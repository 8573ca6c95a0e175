// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/small_multiples.h"

#include "ui/charts/histogram_content.h"
#include "ui/document/card_choice.h"
#include "ui/document/questions.h"
#include "ui/models/result_columns.h"
#include "ui/panels/browse_marks.h"
#include "ui/panels/kept_zoom.h"
#include "ui/plot/number_label.h"
#include "ui/theme/name_parts.h"
#include "ui/theme/plain_text.h"

#include <QEvent>
#include <QGridLayout>
#include <QLabel>
#include <QScrollArea>
#include <QVBoxLayout>

#include <algorithm>
#include <string_view>

namespace calibscope {

namespace {

constexpr int leastWidth = 240;  // of a panel, with its name and result above it
constexpr int leastHeight = 176;

/// What tells panels apart at a glance; the cards have the rest.
QString sqnrText(const OutcomeRow& row)
{
    const std::optional<double> db = row.outcome->whole.metric("sqnr_db");
    if (!db)
        return {};
    const bool isExact = row.outcome->whole.hasExactMetrics && !row.isEstimate;
    return (isExact ? SmallMultiples::tr("SQNR %1 dB") : SmallMultiples::tr("SQNR ≈ %1 dB"))
        .arg(fixedLabel(*db, 2) + sqnrBarText(row.outcome->whole));
}

}  // namespace

SmallMultiples::SmallMultiples(Document& document, QWidget* parent)
    : QWidget(parent),
      m_document(document),
      m_area(new QScrollArea(this)),
      m_sentence(new PlainLabel(this))
{
    auto* panels = new QWidget;
    panels->setBackgroundRole(QPalette::Base);
    m_grid = new QGridLayout(panels);
    m_grid->setContentsMargins({});
    m_grid->setSpacing(8);
    m_area->setWidget(panels);
    m_area->setWidgetResizable(true);
    m_area->setFrameShape(QFrame::NoFrame);
    m_sentence->setWordWrap(true);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins({});
    layout->addWidget(m_sentence);
    layout->addWidget(m_area, 1);
    connect(&document, &Document::changed, this, [this](const DocumentChange& change) {
        if (change.concerns(DocumentChange::Outcomes | DocumentChange::Ticks |
                            DocumentChange::Recipe))
            showRows();
    });
}

PlotView* SmallMultiples::currentPlot() const
{
    for (HistogramPlot* shown : m_shown)
        if (shown->hasFocus())
            return shown;
    return m_shown.empty() ? nullptr : m_shown.front();
}

void SmallMultiples::showView()
{
    const PlotDisplay& display = m_document.workbench().display;
    m_stack.setLinked(display.areAxesLinked);
    showRows();
    m_stack.setLogX(display.isLogX);
    labelAxes();
}

void SmallMultiples::say(const QString& sentence)
{
    m_shownView.reset();
    m_shown.clear();
    m_ids.clear();
    place();
    m_sentence->setText(sentence);
    m_sentence->show();
}

void SmallMultiples::showRows()
{
    const ViewQuery::Shared& view = m_document.questions().reader().shared();
    if (!view || !isVisible())
        return;
    const Histogram* histogram =
        view->profile.histogram({.domain = m_document.workbench().display.domain});
    if (!histogram || view->profile.extents().finite == 0)
        return say(tr("This tensor has no finite value."));
    std::vector<OutcomeRow> rows = m_document.questions().rows();
    std::erase_if(rows, [&](const OutcomeRow& row) {
        return !row.hasResult() || !drawnClip(row, view->profile.extents());
    });
    if (rows.empty())
        return say(tr("Tick calibrators to see them side by side."));
    const bool isAnew = view != m_shownView ||
                        m_document.workbench().display.domain != m_shownDomain ||
                        m_shown.size() != rows.size();
    m_shownView = view;
    m_shownDomain = m_document.workbench().display.domain;
    m_ids.clear();
    m_shown.clear();
    for (const OutcomeRow& row : rows) {
        m_shown.push_back(&panel(m_shown.size()));
        m_ids.push_back(row.candidate.id);
        if (isAnew)
            m_shown.back()->setHistogram(*histogram);
        showPanel(*m_shown.back(), row, *histogram);
    }
    showTitles(rows);
    if (!isAnew)
        return;
    // What is not on screen would widen the axis that all share.
    for (std::size_t hidden = m_shown.size(); hidden < m_panels.size(); ++hidden)
        m_panels[hidden]->clear({});
    place();
    m_zoom->restore();
}

/// A line above all says once what their axes are; of names that don't fit the parts that differ
/// stay.
void SmallMultiples::showTitles(const std::vector<OutcomeRow>& rows)
{
    std::vector<std::string_view> labels;
    for (const OutcomeRow& row : rows)
        labels.push_back(row.candidate.label);
    const NameParts parts(labels);
    for (std::size_t row = 0; row < rows.size(); ++row)
        m_shown[row]->setTitleNeeds(parts.needs(labels[row]));
    const PlotDisplay& display = m_document.workbench().display;
    const QString quantity = display.quantity == Quantity::Count     ? tr("Count")
                             : display.quantity == Quantity::Density ? tr("Density")
                             : display.isLogCount                    ? tr("1 − CDF")
                                                                     : tr("CDF");
    m_sentence->setText(tr("%1 of %2 under each ticked calibrator, what it clips in grey")
                            .arg(quantity, m_shown.front()->shown().xTitle()));
    m_sentence->show();
}

void SmallMultiples::showPanel(HistogramPlot& panel, const OutcomeRow& row,
                               const Histogram& histogram)
{
    const TensorProfile& profile = m_document.questions().reader().result()->profile;
    const ChartColors& colors = chartColors(palette());
    OutcomeRow own = row;
    own.isProposed = true;  // each panel shows where its calibrator clips
    panel.setCountAxis(m_document.workbench().display.isLogCount ? CountAxis::Log
                                                                 : CountAxis::Linear);
    panel.setQuantity(m_document.workbench().display.quantity);
    panel.setTitle(QString::fromStdString(row.candidate.label), sqnrText(row));
    std::vector<ThresholdMark> marks = thresholdMarks({&own, 1}, profile.extents(), colors);
    for (ThresholdMark& mark : marks)
        mark.label.clear();  // the panel's title names it
    panel.setThresholds(std::move(marks));
    panel.setQuantized(m_document.workbench().display.isQuantizedShown
                           ? quantizedMark(row, profile, histogram, colors)
                           : std::nullopt);
}

HistogramPlot& SmallMultiples::panel(std::size_t place)
{
    if (place < m_panels.size())
        return *m_panels[place];
    auto* made = new HistogramPlot(m_area->widget());
    made->setMinimumSize(leastWidth, leastHeight);
    made->setTitlesShown(false);
    connect(made, &PlotView::readoutChanged, this, &SmallMultiples::readoutChanged);
    connect(made, &PlotView::clicked, this, [this, place] {
        if (place < m_ids.size())
            cardsOf(m_document).choose(m_ids[place]);
    });
    m_panels.push_back(made);
    m_stack.add(*made);
    if (!m_zoom)
        m_zoom = new KeptZoom(m_document, QStringLiteral("side by side"), *made);
    return *made;
}

int SmallMultiples::columnCount() const
{
    const int fitting = std::max(width() / (leastWidth + m_grid->spacing()), 1);
    const int count = static_cast<int>(m_shown.size());
    // As square as the width allows: three of four panels in a row would leave a hole.
    int columns = std::min(fitting, count);
    while (columns > 1 && (count + columns - 2) / (columns - 1) == (count + columns - 1) / columns)
        --columns;
    return std::max(columns, 1);
}

void SmallMultiples::place()
{
    const int columns = columnCount();
    for (HistogramPlot* panel : m_panels) {
        m_grid->removeWidget(panel);
        panel->setVisible(std::ranges::find(m_shown, panel) != m_shown.end());
    }
    for (int place = 0; place < static_cast<int>(m_shown.size()); ++place)
        m_grid->addWidget(m_shown[static_cast<std::size_t>(place)], place / columns,
                          place % columns);
    labelAxes();
}

/// All alike: equal counts are equally high.
void SmallMultiples::labelAxes()
{
    for (HistogramPlot* shown : m_shown)
        shown->setXLabelsShown(true);
}

void SmallMultiples::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    place();
}

void SmallMultiples::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::PaletteChange)
        showRows();  // in the colours of the new theme
    QWidget::changeEvent(event);
}

}  // namespace calibscope
