// SPDX-License-Identifier: GPL-3.0-or-later
// What sorting the list costs while it is being computed:
// sorted_list_bench FILE [SECONDS]: opens a dump of many small tensors (tests/bench/many_tensors.py
// makes one) in a window without a screen. By turns of four seconds the list is in file order and
// sorted by SQNR; meanwhile a key goes to the next tensor every 300 ms. Printed are, of both,
// previews in a second and the time from the key to the histogram's paint, and their ratios: load
// from elsewhere falls on both alike.
#include "ui/document/previews.h"
#include "ui/document/questions.h"
#include "ui/panels/tensor_panel.h"
#include "ui/plot/plot_view.h"
#include "ui/window/main_window.h"
#include "ui/window/tensor_list_controller.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QKeyEvent>
#include <QTimer>
#include <QTreeView>

#include <algorithm>
#include <array>
#include <cstdio>
#include <vector>

using namespace calibscope;

namespace {

bool isOfPlot(const QObject* receiver)
{
    while (receiver != nullptr && qobject_cast<const PlotView*>(receiver) == nullptr)
        receiver = receiver->parent();
    return receiver != nullptr;
}

/// Times from a key to the paint of what it led to.
class KeyedApplication : public QApplication
{
public:
    using QApplication::QApplication;

    bool notify(QObject* receiver, QEvent* event) override
    {
        const bool isWanted =
            event->type() == QEvent::Paint && isReady && isOfPlot(receiver) && isReady();
        const bool isHandled = QApplication::notify(receiver, event);
        if (isWanted) {
            isReady = nullptr;
            painted(static_cast<double>(m_sinceKey.nsecsElapsed()) / 1e6);
        }
        return isHandled;
    }

    void startKey() { m_sinceKey.start(); }

    std::function<bool()> isReady;
    std::function<void(double)> painted;

private:
    QElapsedTimer m_sinceKey;
};

struct Turn
{
    double seconds = 0.0;
    std::size_t previews = 0;
    std::vector<double> keysMs;

    [[nodiscard]] double rate() const { return static_cast<double>(previews) / seconds; }
    [[nodiscard]] double medianMs()
    {
        std::ranges::sort(keysMs);
        return keysMs.empty() ? 0.0 : keysMs[keysMs.size() / 2];
    }
};

class Bench
{
public:
    Bench(KeyedApplication& application, int seconds) : m_app(application), m_seconds(seconds)
    {
        m_window.resize(1280, 800);
        m_window.show();
        m_app.painted = [this](double ms) { m_turns.at(m_isSorted).keysMs.push_back(ms); };
        QObject::connect(&m_keys, &QTimer::timeout, &m_window, [this] { pressKey(); });
        QObject::connect(&m_changes, &QTimer::timeout, &m_window, [this] { changeTurn(); });
    }

    void run(const QString& file)
    {
        m_window.open(file);
        QObject::connect(&m_window.document().previews(), &Previews::taken, &m_window, [this] {
            if (m_whole.isValid())
                return;
            m_window.tensorList().goToFirst();
            begin();
            m_whole.start();
            m_keys.start(300);
            m_changes.start(4000);
        });
        QApplication::exec();
        for (const bool isSorted : {false, true}) {
            Turn& turn = m_turns.at(isSorted);
            std::printf("%-9s %6.0f previews/s, key to histogram %.1f ms (median of %zu)\n",
                        isSorted ? "by SQNR" : "by file", turn.rate(), turn.medianMs(),
                        turn.keysMs.size());
        }
        std::printf("ratio     %.2f of the rate, %.2f of the time\n",
                    m_turns[1].rate() / m_turns[0].rate(),
                    m_turns[1].medianMs() / m_turns[0].medianMs());
    }

private:
    std::size_t left() { return m_window.document().previews().left(); }

    void begin()
    {
        m_leftBefore = left();
        m_turn.start();
    }

    void changeTurn()
    {
        Turn& turn = m_turns.at(m_isSorted);
        turn.seconds += static_cast<double>(m_turn.nsecsElapsed()) / 1e9;
        turn.previews += m_leftBefore - left();
        if (left() < 500 || (m_whole.elapsed() > 1000 * m_seconds && m_isSorted))
            return QApplication::quit();
        m_isSorted = !m_isSorted;
        m_window.tensorList().panel().setWorstFirst(m_isSorted);
        begin();
    }

    void pressKey()
    {
        Document& document = m_window.document();
        const int before = document.selected();
        m_app.isReady = [&document, before] {
            return document.selected() != before &&
                   document.questions().reader().state() == QueryState::State::Ready;
        };
        m_app.startKey();
        auto* tree = m_window.tensorList().panel().findChild<QTreeView*>();
        QKeyEvent key(QEvent::KeyPress, Qt::Key_Down, Qt::NoModifier);
        QApplication::sendEvent(tree, &key);
    }

    KeyedApplication& m_app;
    int m_seconds;
    MainWindow m_window{{.keeping = Preferences::Keeping::Forget}};
    QTimer m_keys;
    QTimer m_changes;
    QElapsedTimer m_turn;
    QElapsedTimer m_whole;
    bool m_isSorted = false;
    std::size_t m_leftBefore = 0;
    std::array<Turn, 2> m_turns;
};

}  // namespace

int main(int argc, char** argv)
{
    qputenv("QT_QPA_PLATFORM", "offscreen");
    KeyedApplication application(argc, argv);
    const QStringList arguments = QApplication::arguments();
    if (arguments.size() < 2)
        return 2;
    Bench bench(application, arguments.size() > 2 ? arguments[2].toInt() : 40);
    bench.run(arguments[1]);
    return 0;
}
