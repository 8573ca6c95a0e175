// SPDX-License-Identifier: GPL-3.0-or-later
// The rival of window_bench.py: an empty window with one chart of Qt Charts, until it is painted.
#include <QApplication>
#include <QChart>
#include <QChartView>
#include <QMainWindow>
#include <QTimer>

#include <cstdio>
#include <ctime>

namespace {

class PaintedView : public QChartView
{
public:
    using QChartView::QChartView;

protected:
    void paintEvent(QPaintEvent* event) override
    {
        QChartView::paintEvent(event);
        timespec now{};
        ::clock_gettime(CLOCK_MONOTONIC, &now);
        std::printf("painted %lld.%09ld\n", static_cast<long long>(now.tv_sec), now.tv_nsec);
        QTimer::singleShot(0, [] { QApplication::quit(); });
    }
};

}  // namespace

int main(int argc, char** argv)
{
    qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication application(argc, argv);
    QMainWindow window;
    window.setCentralWidget(new PaintedView(new QChart, &window));
    window.resize(1280, 800);
    window.show();
    return QApplication::exec();
}
