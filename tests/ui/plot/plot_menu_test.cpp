#include "ui/plot/plot_menu.h"

#include "tests/support/catch.h"
#include "tests/support/chart_samples.h"
#include "ui/charts/histogram_plot.h"

using namespace calibscope;
using namespace calibscope::test;

namespace {

/// Rows that an entry of a submenu copies as JSON.
qsizetype copiedRows(QMenu& menu, const QString& title)
{
    for (QAction* entry : menu.actions())
        if (entry->text().remove(u'&') == title && entry->menu())
            for (QAction* format : entry->menu()->actions())
                if (format->text().remove(u'&') == "JSON")
                    format->trigger();
    return QJsonDocument::fromJson(QGuiApplication::clipboard()->text().toUtf8()).array().size();
}

}  // namespace

TEST_CASE("a plot's menu copies what is in view, or all, as JSON")
{
    HistogramPlot plot;
    plot.resize(600, 400);
    plot.setHistogram(tailHistogram(8.0));
    plot.zoomIn();
    QMenu menu;
    fillPlotMenu(menu, plot);
    const qsizetype shown = copiedRows(menu, "Copy data in view as");
    const qsizetype whole = copiedRows(menu, "Copy all data as");
    CHECK(shown == static_cast<qsizetype>(plot.table().rowCount()));
    CHECK(whole == static_cast<qsizetype>(plot.wholeTable().rowCount()));
    CHECK(shown > 0);
    CHECK(shown < whole);
}
