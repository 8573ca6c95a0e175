// The plot below the histogram; the rest of BrowsePlots is in browse_plots.cpp.
#include "ui/charts/curve_plot.h"
#include "ui/charts/error_plot.h"
#include "ui/charts/heat_plot.h"
#include "ui/charts/histogram_plot.h"
#include "ui/pages/browse/browse_plots.h"
#include "ui/panels/browse_marks.h"
#include "ui/widgets/batch_scrubber.h"

#include <QStackedLayout>

namespace calibscope {

namespace {

constexpr std::uint64_t stripColumns = 512;  // a little finer than a plot on a small screen

}  // namespace

void BrowsePlots::showSecondary(const std::vector<OutcomeRow>& rows)
{
    const Secondary secondary = m_session.workbench().secondary;
    // What is not on screen would widen the axis that all share.
    if (secondary != Secondary::Curve)
        m_curve->clear({});
    if (secondary != Secondary::ErrorPerBin)
        m_error->clear({});
    if (secondary != Secondary::Batches)
        m_heat->clear({});
    switch (secondary) {
    case Secondary::Curve: m_secondary->setCurrentWidget(m_curve); return showCurves(rows);
    case Secondary::ErrorPerBin:
        m_secondary->setCurrentWidget(m_error);
        showError(rowInFocus(rows));
        return labelHistogram(m_error->isEmpty());
    case Secondary::Batches:
        m_secondary->setCurrentWidget(m_batches);
        showBatches(rows);
        return labelHistogram(m_heat->isEmpty());
    }
}

void BrowsePlots::labelHistogram(bool isLowerEmpty)
{
    m_histogram->setXLabelsShown(isLowerEmpty || !m_stack.areLinked());
}

void BrowsePlots::showCurves(const std::vector<OutcomeRow>& rows)
{
    std::vector<CurveMark> curves = curveMarks(rows, chartColors(palette()));
    labelHistogram(curves.empty());
    if (curves.empty())
        m_curve->clear(noCurveText(rows));
    else
        m_curve->setCurves(std::move(curves));
}

void BrowsePlots::showError(const OutcomeRow* row)
{
    const Histogram* bins = shownHistogram();
    if (!bins || m_view->profile.extents().finite == 0)
        return m_error->clear({});
    if (!row)
        return m_error->clear(tr("Tick a calibrator to see where its error comes from."));
    if (row->outcome->isPerChannel())
        return m_error->clear(tr("%1 has a scale for each channel: choose a channel above to see "
                                 "where its error comes from.")
                                  .arg(QString::fromStdString(row->candidate.label)));
    m_error->setError(errorMark(*row, m_view->profile, *bins, chartColors(palette())));
}

void BrowsePlots::showBatches(const std::vector<OutcomeRow>& rows)
{
    const TensorInfo* tensor = m_session.selectedTensor();
    const std::uint64_t batches = tensor ? tensor->batchCount() : 1;
    m_scrubber->setVisible(batches > 1);
    if (batches < 2)
        return m_heat->clear(tr("This tensor was recorded in one batch."));
    const std::optional<std::uint64_t> shown = m_session.part().batches;
    m_scrubber->setBatches(batches, shown);
    const StripQuestion question{
        .rows = StripRows::Batch, .domain = m_domain, .columns = stripColumns};
    const StripReader::Found found = m_session.strip(question);
    if (!found.strip) {
        if (!found.isPending && found.problem.isEmpty())
            m_session.requestStrip(question);
        return m_heat->clear(found.problem.isEmpty() ? tr("Reading the batches...")
                                                     : found.problem);
    }
    m_heat->setGrid({.domain = m_domain,
                     .range = found.strip->range,
                     .rows = found.strip->rows,
                     .columns = found.strip->columns,
                     .counts = found.strip->counts},
                    {tr("batch"), tr("batches")});
    m_heat->setPaths(heatPaths(rows, m_view->profile, chartColors(palette())));
    m_heat->setRowsInUse(shown.value_or(batches));
}

}  // namespace calibscope
