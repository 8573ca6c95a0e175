// SPDX-License-Identifier: GPL-3.0-or-later
// What window_bench.py starts anew for each round, and times: each line is an event and the clock
// (CLOCK_MONOTONIC, in seconds) when it happened.
// window_times show FILE TENSOR CACHE: the window with that tensor of a dump, results kept in that
// folder; ends when all of the dump is computed. CACHE is - for none; it then ends once the first
// histogram is painted.
// window_times cancel FILE: asks for all of the first tensor and takes it back 0.2 s later.
#include "ui/document/previews.h"
#include "ui/document/questions.h"
#include "ui/pages/browse/browse_page.h"
#include "ui/plot/plot_view.h"
#include "ui/window/main_window.h"

#include <QApplication>
#include <QEvent>
#include <QTimer>

#include <cstdio>
#include <ctime>

using namespace calibscope;

namespace {

void tell(const char* event)
{
    timespec now{};
    ::clock_gettime(CLOCK_MONOTONIC, &now);
    std::printf("%s %lld.%09ld\n", event, static_cast<long long>(now.tv_sec), now.tv_nsec);
    (void)std::fflush(stdout);
}

/// A plot is painted on the viewport of a chart within.
bool isOfPlot(const QObject* receiver)
{
    while (receiver != nullptr && qobject_cast<const PlotView*>(receiver) == nullptr)
        receiver = receiver->parent();
    return receiver != nullptr;
}

/// Tells when a plot was painted for the first time with something to show.
class WatchingApplication : public QApplication
{
public:
    using QApplication::QApplication;

    bool notify(QObject* receiver, QEvent* event) override
    {
        const bool isPlot =
            event->type() == QEvent::Paint && hasNumbers && isOfPlot(receiver) && hasNumbers();
        const bool isHandled = QApplication::notify(receiver, event);
        if (isPlot) {
            hasNumbers = nullptr;
            tell("histogram");
            if (isDoneThen)
                quit();
        }
        return isHandled;
    }

    std::function<bool()> hasNumbers;
    bool isDoneThen = false;
};

int show(WatchingApplication& application, const QString& file, const QString& tensor,
         const QString& cache)
{
    MainWindow window({.keeping = Preferences::Keeping::Forget,
                       .cacheFolder = cache == QStringLiteral("-") ? QString() : cache});
    Document& document = window.document();
    application.isDoneThen = cache == QStringLiteral("-");
    application.hasNumbers = [&document] {
        return document.questions().reader().result() || document.questions().firstBatch();
    };
    QObject::connect(&document, &Document::dumpChanged, &window, [&document] {
        if (document.dumpState() == Document::DumpState::Open)
            tell("list");
    });
    QObject::connect(&document, &Document::idle, &window, [&document, &application] {
        const bool isPainted = !application.hasNumbers;
        if (isPainted && document.isIdle() && document.previews().left() == 0) {
            tell("all");
            QApplication::quit();
        }
    });
    tell("built");
    window.open(file, {.tensor = tensor});
    window.show();
    tell("shown");
    return QApplication::exec();
}

int cancel(const QString& file)
{
    EngineClient engine;
    const std::string path = file.toStdString();
    quint64 request = 0;
    engine.ask(protocol::OpenRequest{.path = path}, [&](const Answer<protocol::DumpOpened>&) {
        request = engine.ask(protocol::ViewRequest{.tensor = {.file = path, .index = 0}},
                             [](const auto& answer) {
                                 tell(answer.wasCancelled ? "cancelled" : "finished");
                                 QApplication::quit();
                             });
        QTimer::singleShot(200, &engine, [&] {
            tell("cancel");
            engine.cancel(request);
        });
    });
    return QApplication::exec();
}

}  // namespace

int main(int argc, char** argv)
{
    qputenv("QT_QPA_PLATFORM", "offscreen");
    WatchingApplication application(argc, argv);
    const QStringList arguments = QApplication::arguments();
    if (arguments.size() == 5 && arguments[1] == QStringLiteral("show"))
        return show(application, arguments[2], arguments[3], arguments[4]);
    if (arguments.size() == 3 && arguments[1] == QStringLiteral("cancel"))
        return cancel(arguments[2]);
    return 2;
}
