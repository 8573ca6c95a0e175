// SPDX-License-Identifier: GPL-3.0-or-later
// What painting a plot costs: five histograms over one another at 1600 x 900, against the same as
// line series of Qt Charts; moving the pointer; and eight times as many bins. All in one run and
// by turns, so that a busy machine slows each alike; the medians of the ratios count. Then a frame
// of zooming and moving in graphs of 500 and 5 000 nodes at 1280 x 800, deep ones and some with
// branches: all in view, 200 rows, the most that have lines between, and as many as are shown at
// first: processor time, medians.
#include "ui/charts/histogram_content.h"
#include "ui/charts/histogram_painter.h"
#include "ui/pages/graph/graph_content.h"

#include <QApplication>
#include <QMouseEvent>
#include <QtCharts/QChartView>
#include <QtCharts/QLineSeries>
#include <QtCharts/QValueAxis>

#include <time.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <random>
#include <vector>

using namespace calibscope;

namespace {

constexpr QSize viewSize(1600, 900);
constexpr int overlays = 5;  // the columns and four outlines

/// Counts as activations have them: a steep start, a long tail with gaps.
Histogram jaggedHistogram(int bins, unsigned seed)
{
    std::mt19937 random(seed);
    Histogram histogram;
    histogram.spec = {"fixed", bins, Domain::Magnitude};
    histogram.high = 4.0;
    for (int bin = 0; bin < bins; ++bin) {
        const double expected = 3e5 / bins * 20.0 * std::exp(-9.0 * bin / bins);
        histogram.counts.push_back(std::poisson_distribution<std::uint64_t>(expected)(random));
    }
    histogram.counts.back() = 1;
    return histogram;
}

/// Counts the paint events of a view.
class PaintCounter : public QObject
{
public:
    explicit PaintCounter(QWidget& view) { view.installEventFilter(this); }
    bool eventFilter(QObject*, QEvent* event) override
    {
        paints += event->type() == QEvent::Paint;
        return false;
    }

    int paints = 0;
};

/// Processor time of this thread: what others do meanwhile does not count.
double threadMs()
{
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) * 1e-6;
}

/// Milliseconds from the change until it is on screen.
double timeOf(PaintCounter& counter, const std::function<void()>& change)
{
    QApplication::processEvents();  // what was left over belongs to others
    const int before = counter.paints;
    const double start = threadMs();
    change();
    while (counter.paints == before)
        QApplication::processEvents();
    return threadMs() - start;
}

/// Our plot on screen.
class OwnPlot
{
public:
    explicit OwnPlot(int bins)
    {
        m_plot.resize(viewSize);
        m_plot.setHistogram(jaggedHistogram(bins, 0));
        std::vector<OutlineMark> outlines;
        const Qt::PenStyle styles[] = {Qt::SolidLine, Qt::DashLine, Qt::DotLine, Qt::SolidLine};
        for (int outline = 1; outline < overlays; ++outline)
            outlines.push_back({QString::number(outline), QColor::fromHsv(outline * 70, 255, 180),
                                styles[outline - 1],
                                jaggedHistogram(bins, static_cast<unsigned>(outline))});
        m_plot.setOutlines(std::move(outlines));
        m_plot.show();
        QApplication::processEvents();
        m_counter =
            std::make_unique<PaintCounter>(*m_plot.findChild<QAbstractScrollArea*>()->viewport());
    }

    double repaint()
    {
        return timeOf(*m_counter, [this] { m_plot.setCountAxis(CountAxis::Log); });
    }

    /// Mean of a few moves: they come in streams.
    double hover(int from)
    {
        constexpr int moves = 10;
        double sum = 0.0;
        for (int x = from; x < from + moves; ++x)
            sum += timeOf(*m_counter, [this, x] { moveTo({static_cast<double>(x), 400.0}); });
        return sum / moves;
    }

private:
    void moveTo(const QPointF& place)
    {
        QMouseEvent event(QEvent::MouseMove, place, m_plot.mapToGlobal(place), Qt::NoButton,
                          Qt::NoButton, Qt::NoModifier);
        QApplication::sendEvent(&m_plot, &event);
    }

    HistogramPlot m_plot;
    std::unique_ptr<PaintCounter> m_counter;
};

/// The same histograms as line series: two points for each bin, logarithms of the counts.
class LinePlot
{
public:
    explicit LinePlot(int bins)
    {
        auto* chart = new QChart;
        auto* x = new QValueAxis(chart);
        auto* y = new QValueAxis(chart);
        x->setRange(0.0, 4.0);
        y->setRange(-0.3, 4.0);
        chart->addAxis(x, Qt::AlignBottom);
        chart->addAxis(y, Qt::AlignLeft);
        for (int overlay = 0; overlay < overlays; ++overlay) {
            const Histogram histogram = jaggedHistogram(bins, static_cast<unsigned>(overlay));
            auto* series = new QLineSeries(chart);
            QList<QPointF> points;
            for (std::size_t bin = 0; bin < histogram.counts.size(); ++bin) {
                const double count = std::max(static_cast<double>(histogram.counts[bin]), 0.5);
                points.append({histogram.edge(bin), std::log10(count)});
                points.append({histogram.edge(bin + 1), std::log10(count)});
            }
            series->replace(points);
            chart->addSeries(series);
            series->attachAxis(x);
            series->attachAxis(y);
        }
        m_view.setChart(chart);
        m_view.resize(viewSize);
        m_view.show();
        QApplication::processEvents();
        m_counter = std::make_unique<PaintCounter>(*m_view.viewport());
    }

    double repaint()
    {
        return timeOf(*m_counter, [this] { m_view.viewport()->update(); });
    }

private:
    QChartView m_view;
    std::unique_ptr<PaintCounter> m_counter;
};

/// The page's plot of branches of residual blocks, with a weight at each convolution.
class GraphFrames
{
public:
    GraphFrames(std::size_t nodes, std::size_t branches)
    {
        std::vector<TensorInfo> tensors;
        const auto add = [&tensors](const std::string& op, std::vector<std::string> inputs) {
            tensors.push_back(TensorInfo{});
            tensors.back().name = op + "_" + std::to_string(tensors.size());
            tensors.back().role = Role::Activation;
            tensors.back().inputs = std::move(inputs);
            return tensors.back().name;
        };
        std::vector<std::string> ends(branches, add("input", {}));
        for (std::size_t block = 0; tensors.size() < nodes; ++block) {
            std::string& last = ends[block % branches];
            const std::string conv = add("conv", {add("relu", {add("conv", {last})})});
            const std::string gate = add("sigmoid", {add("conv", {add("pool", {conv})})});
            last = add("relu", {add("add", {add("mul", {conv, gate}), last})});
        }
        auto network = std::make_shared<GraphContent::Network>();
        network->graph = tensorGraph(tensors);
        network->layout = layoutGraph(network->graph.inputs);
        network->outputs = network->graph.outputs();
        m_height = network->layout.height;
        std::vector<GraphMark> marks;
        for (std::size_t node = 0; node < network->graph.nodes.size(); ++node) {
            const int tensor = static_cast<int>(marks.size());
            GraphMark mark{.tensor = tensor,
                           .name = QString::fromStdString(network->graph.nodes[node].name),
                           .before = "Conv",
                           .op = "Conv   16 x 24 x 80 x 80",
                           .size = 0.5,
                           .db = 10.0 + tensor % 40};
            if (mark.name.startsWith("conv"))
                mark.operands = {mark};
            marks.push_back(mark);
        }
        m_plot.resize(1280, 800);
        m_plot.shown().setNetwork(std::move(network));
        m_plot.shown().setMarks(std::move(marks), GraphColors::Own);
        m_plot.update(true);
        m_plot.setChosen(0);
        m_plot.show();
        QApplication::processEvents();
        m_counter =
            std::make_unique<PaintCounter>(*m_plot.findChild<QAbstractScrollArea*>()->viewport());
    }

    /// Each zooms in a little more, and moves.
    double frame(int round, double rows)
    {
        const double shown = std::min(rows, m_height) * (1.0 - 0.002 * round);
        const double top = std::max(0.0, m_height - shown) * (round % 10) / 10.0;
        return timeOf(*m_counter, [&] {
            m_plot.setZoom({.x = std::nullopt, .y = {{top, top + shown}}});
        });
    }
    [[nodiscard]] double height() const { return m_height; }

private:
    GraphPlot m_plot;
    double m_height = 0.0;
    std::unique_ptr<PaintCounter> m_counter;
};

double median(std::vector<double> values)
{
    std::ranges::sort(values);
    return values[values.size() / 2];
}

struct Times
{
    std::vector<double> own, lines, hover, manyBins, toLines, toHover, toManyBins;
};

bool report(const char* what, double ratio, double limit, bool isAtLeast)
{
    const bool holds = isAtLeast ? ratio >= limit : ratio <= limit;
    std::printf("%-52s %6.2f  (%s %.1f)  %s\n", what, ratio, isAtLeast ? "at least" : "at most",
                limit, holds ? "ok" : "MISSED");
    return holds;
}

}  // namespace

int main(int argc, char** argv)
{
    QApplication application(argc, argv);
    OwnPlot own(8192);
    OwnPlot manyBins(65536);
    LinePlot lines(8192);
    Times times;
    constexpr int rounds = 41;
    for (int round = 0; round < rounds; ++round) {
        times.own.push_back(own.repaint());
        times.lines.push_back(lines.repaint());
        times.hover.push_back(own.hover(300 + 20 * round));
        times.manyBins.push_back(manyBins.repaint());
        times.toLines.push_back(times.lines.back() / times.own.back());
        times.toHover.push_back(times.own.back() / times.hover.back());
        times.toManyBins.push_back(times.manyBins.back() / times.own.back());
    }
    std::printf("medians of %d rounds: repaint %.2f ms, line series %.2f ms, hover %.3f ms, "
                "65536 bins %.2f ms\n",
                rounds, median(times.own), median(times.lines), median(times.hover),
                median(times.manyBins));
    bool holds = report("line series / our repaint", median(times.toLines), 6.0, true);
    holds = report("our repaint / moving the pointer", median(times.toHover), 20.0, true) && holds;
    holds = report("65536 bins / 8192 bins", median(times.toManyBins), 1.5, false) && holds;
    constexpr std::pair<std::size_t, std::size_t> graphs[] = {
        {500, 1}, {5000, 1}, {5000, 20}, {5000, 50}};
    for (const auto& [nodes, branches] : graphs) {
        GraphFrames graph(nodes, branches);
        for (const double rows : {graph.height(), 200.0, 24.0}) {
            std::vector<double> frames;
            for (int round = 0; round < rounds; ++round)
                frames.push_back(graph.frame(round, rows));
            const std::string name = "graph, " + std::to_string(nodes) + " nodes in " +
                                     std::to_string(branches) + " branches, " +
                                     std::to_string(std::lround(rows)) + " rows: ms";
            holds = report(name.c_str(), median(frames), 16.0, false) && holds;
        }
    }
    return holds ? 0 : 1;
}
