// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/calibscope/application.h"

#include "app/command_line.h"
#include "ui/theme/theme.h"
#include "ui/window/internal_error.h"
#include "ui/window/main_window.h"

#include <string>

namespace calibscope::window {

namespace {

/// Drops what Qt says of every window that is drawn into memory and of every system without a
/// session; passes on the rest.
void passOnMessage(QtMsgType, const QMessageLogContext&, const QString& text)
{
    if (!text.contains("propagateSizeHints") && !text.contains("XDG_RUNTIME_DIR"))
        sayOnStderr("calibscope: " + text.toStdString());
}

/// Outlives exceptions that nobody caught: the window says so and goes on.
class WindowApplication : public QApplication
{
public:
    using QApplication::QApplication;

    bool notify(QObject* receiver, QEvent* event) override
    {
        return guarded([&] { return QApplication::notify(receiver, event); },
                       [](const QString& error) {
                           for (QWidget* widget : topLevelWidgets())
                               if (auto* window = qobject_cast<MainWindow*>(widget))
                                   return window->reportInternalError(error);
                           sayOnStderr("calibscope: internal error: " + error.toStdString());
                       });
    }
};

}  // namespace

std::unique_ptr<QApplication> makeApplication(Display display)
{
    if (display == Display::None) {
        qputenv("QT_QPA_PLATFORM", "offscreen");
        qInstallMessageHandler(passOnMessage);
    }
    // Qt keeps references to both for as long as the application lives.
    static int argumentCount = 1;
    static std::string programName = "calibscope";
    static char* arguments[] = {programName.data(), nullptr};

    QCoreApplication::setOrganizationName("calibscope");
    QCoreApplication::setApplicationName("calibscope");
    QCoreApplication::setApplicationVersion(CALIBSCOPE_VERSION);
    QGuiApplication::setApplicationDisplayName("Calibscope");
    QGuiApplication::setDesktopFileName("calibscope");
    std::unique_ptr<QApplication> application;
    if (display == Display::None)
        application = std::make_unique<QApplication>(argumentCount, arguments);
    else
        application = std::make_unique<WindowApplication>(argumentCount, arguments);
    speakEnglish();
    return application;
}

CommandOption silenceOption(int& seconds)
{
    constexpr int longest = 1000000;
    return {.names = "--timeout",
            .target = &seconds,
            .help = "Give another machine up after so many seconds without a byte (0: never)",
            .type = "SECONDS",
            .showsDefault = true,
            .range = OptionRange{0, longest}};
}

}  // namespace calibscope::window
