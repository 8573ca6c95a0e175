// SPDX-License-Identifier: GPL-3.0-or-later
// How long the window's thread is held up while a large dump is profiled and the user works:
// cmake --build --preset dev --target ui_events_bench && .build/dev/bin/ui_events_bench [GiB|FILE]
// Makes a dump in a temporary folder (sparse: what is not written takes no room), opens it in a
// window without a screen, and every 30 ms does something that a user may do. Every event that the
// window handles is timed. Aim: none above 50 ms. A file (tests/bench/many_tensors.py makes one of
// 20 000 tensors) is looked at only; aim: none above 16 ms. With "graph" behind it that is done on the
// page Graph, unfolded, and recorded from then on: its numbers come in.
#include "core/recipes/make_choice.h"
#include "tests/support/h5py.h"
#include "ui/document/edits.h"
#include "ui/document/previews.h"
#include "ui/pages/graph/graph_page.h"
#include "ui/window/main_window.h"

#include <QApplication>
#include <QCheckBox>
#include <QElapsedTimer>
#include <QThread>
#include <QTimer>

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

using namespace calibscope;

namespace {

/// Times the outermost notifications: what the user would wait for.
class TimedApplication : public QApplication
{
public:
    struct Event
    {
        double ms = 0.0;
        int type = 0;
        std::string receiver;
    };

    using QApplication::QApplication;

    bool notify(QObject* receiver, QEvent* event) override
    {
        if (QThread::currentThread() != thread())
            return QApplication::notify(receiver, event);  // of the threads that talk to engines
        const bool isOutermost = m_depth++ == 0;
        const int type = event->type();
        const std::string name = isOutermost ? receiver->metaObject()->className() : "";
        QElapsedTimer timer;
        timer.start();
        const bool isHandled = QApplication::notify(receiver, event);
        --m_depth;
        if (isOutermost && isRecording)
            events.push_back({static_cast<double>(timer.nsecsElapsed()) / 1e6, type, name});
        return isHandled;
    }

    bool isRecording = false;
    std::vector<Event> events;

private:
    int m_depth = 0;
};

constexpr int tensorCount = 8;

void makeDump(const test::TemporaryFolder& folder, int gibibytes)
{
    // 64 batches of 1 MiB for each GiB and tensor pair; one batch of each has values.
    const int channels = 128 * gibibytes;
    test::runH5py(folder,
                  "space = h5py.h5s.create_simple((64, " + std::to_string(channels) +
                      ", 64, 64))\n"
                      "plist = h5py.h5p.create(h5py.h5p.DATASET_CREATE)\n"
                      "plist.set_fill_time(h5py.h5d.FILL_TIME_NEVER)\n"
                      "rng = np.random.default_rng(1)\n"
                      "with h5py.File('large.h5', 'w') as f:\n"
                      "    for i in range(" +
                      std::to_string(tensorCount) +
                      "):\n"
                      "        h5py.h5d.create(f.id, b'relu_%c' % (97 + i), "
                      "h5py.h5t.IEEE_F32LE, space, plist)\n"
                      "        shape = (1, " +
                      std::to_string(channels) +
                      ", 64, 64)\n"
                      "        f['relu_%c' % (97 + i)][:1] = rng.exponential(1.0, shape)\n");
}

/// One thing after the other that a user may do while he waits.
void doSomething(Document& document, int step)
{
    if (document.dumpState() != Document::DumpState::Open)
        return;
    switch (step % 8) {
    case 0: edits::setManualRange(document, 0.5 + 0.01 * (step % 400), false); break;
    case 1:
        edits::editChoice(document, "percentile 99.999",
                          makeChoice("percentile",
                                     {{"alpha", std::to_string(90.0 + 0.01 * (step % 900))}},
                                     SchemeKind::SymmetricRestricted, Granularity::Tensor),
                          "slider");
        break;
    case 2: {
        PlotDisplay display = document.workbench().display;
        display.isLogCount = !display.isLogCount;
        edits::setDisplay(document, display);
        break;
    }
    case 3: edits::setTicked(document, "entropy", step % 16 < 8); break;
    case 4: document.undo(); break;
    case 5: document.redo(); break;
    case 6:
        edits::editChoice(document, "entropy",
                          makeChoice("entropy",
                                     {{"first-candidate", std::to_string(128 + step % 512)}},
                                     SchemeKind::SymmetricRestricted, Granularity::Tensor),
                          "slider");
        break;
    case 7:
        if (step % 160 == 7)
            document.select(step / 160 % tensorCount);
        break;
    default: break;
    }
}

void print(std::vector<TimedApplication::Event> events, double seconds)
{
    std::ranges::sort(events, {}, &TimedApplication::Event::ms);
    const auto rank = [&events](double share) {
        return events[static_cast<std::size_t>(share * static_cast<double>(events.size() - 1))].ms;
    };
    std::printf("%zu events in %.1f s: median %.3f ms, 99th percentile %.2f ms, longest %.1f ms\n",
                events.size(), seconds, rank(0.5), rank(0.99), events.back().ms);
    for (const double limit : {16.0, 50.0})
        std::printf(
            "%td above %.0f ms; ",
            std::ranges::count_if(events, [limit](const auto& event) { return event.ms > limit; }),
            limit);
    std::printf("the longest:\n");
    for (auto event = events.rbegin(); event != events.rend() && event - events.rbegin() < 8;
         ++event)
        std::printf("  %8.1f ms  event %d to %s\n", event->ms, event->type,
                    event->receiver.c_str());
}

}  // namespace

int main(int argc, char** argv)
{
    qputenv("QT_QPA_PLATFORM", "offscreen");
    TimedApplication application(argc, argv);
    const int gibibytes = argc > 1 ? std::atoi(argv[1]) : 2;
    const test::TemporaryFolder folder;
    const bool isGiven = gibibytes < 1;
    if (!isGiven)
        makeDump(folder, gibibytes);
    const std::string path = isGiven ? argv[1] : folder.file("large.h5");
    MainWindow window({.keeping = Preferences::Keeping::Forget});
    window.resize(1280, 800);
    window.show();
    const bool isOfGraph = argc > 2 && std::string(argv[2]) == "graph";
    application.isRecording = !isOfGraph;
    QElapsedTimer whole;
    whole.start();
    window.open(QString::fromStdString(path), {.tensor = isGiven ? "" : "relu_a"});
    int step = 0;
    QTimer user;
    QObject::connect(&user, &QTimer::timeout, &window, [&] {
        if (!isGiven)
            doSomething(window.document(), step);
        if (isOfGraph && !application.isRecording &&
            window.document().dumpState() == Document::DumpState::Open) {
            window.showWorkspace(Workspace::Graph);
            window.findChild<GraphPage*>()->fold().setChecked(false);
            QTimer::singleShot(0, &window, [&] { application.isRecording = true; });  // not of this
        }
        ++step;
        const bool isProfiled = window.document().dumpState() == Document::DumpState::Open &&
                                window.document().previews().left() == 0;
        if ((isProfiled && step > 1000) || whole.elapsed() > (isGiven ? 60'000 : 300'000))
            QApplication::quit();
    });
    user.start(30);
    QApplication::exec();
    print(application.events, static_cast<double>(whole.elapsed()) / 1000.0);
    return 0;
}
