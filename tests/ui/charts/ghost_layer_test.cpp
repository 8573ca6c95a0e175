// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/ghost_layer.h"

#include "tests/support/catch.h"
#include "tests/support/chart_samples.h"
#include "tests/support/framed_content.h"
#include "ui/charts/histogram_content.h"

namespace ghost_layer_test {

using namespace calibscope;
using namespace calibscope::test;

const EntropyTrial trial{.threshold = 2.5,
                         .edges = {0.0, 1.0, 2.0, 3.0},
                         .truncated = {90.0, 0.0, 10.0},
                         .coarse = {95.0, 0.0, 5.0},
                         .levels = 2};

RecordedPainting paintingOver(const Histogram& histogram, const EntropyTrial& shown = trial)
{
    HistogramContent content;
    content.setHistogram(histogram);
    const PlotFrame frame = frameOf(content);
    return recordPainting(framedSize, [&](QPainter& painter) {
        paintGhost(painter, frame, shown, histogram, QColor(0x0072b2));
    });
}

TEST_CASE("both histograms of a candidate are outlines, and no box covers a threshold")
{
    const RecordedPainting painting =
        paintingOver(histogramOf(Domain::Magnitude, 0.0, 4.0, {80, 10, 5, 5}));
    CHECK(painting.polylines == 2);
    CHECK(painting.texts.empty());
    CHECK(painting.rects.empty());
}

TEST_CASE("a window is drawn once among signed values, and folded over among magnitudes")
{
    EntropyTrial window = trial;
    window.isSigned = true;
    window.edges = {-1.0, 0.0, 1.0, 2.0};
    for (const Domain domain : {Domain::Signed, Domain::Magnitude}) {
        const double low = domain == Domain::Signed ? -4.0 : 0.0;
        const RecordedPainting painting =
            paintingOver(histogramOf(domain, low, 4.0, {80, 10, 5, 5}), window);
        CHECK(painting.polylines == 2);
    }
}

TEST_CASE("among signed values both are mirrored")
{
    const RecordedPainting painting =
        paintingOver(histogramOf(Domain::Signed, -4.0, 4.0, {5, 15, 40, 30, 5, 5}));
    CHECK(painting.polylines == 4);
}

TEST_CASE("a candidate without bins draws nothing")
{
    const EntropyTrial nothing;
    const RecordedPainting painting = recordPainting({100, 100}, [&](QPainter& painter) {
        PlotFrame frame;
        frame.y.emplace_back();
        paintGhost(painter, frame, nothing, histogramOf(Domain::Magnitude, 0, 1, {1}), Qt::red);
    });
    CHECK(painting.polylines == 0);
}

}  // namespace ghost_layer_test
