// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/calibscope/application.h"
#include "app/calibscope/subcommands.h"
#include "core/base/cache_folder.h"
#include "core/base/location.h"
#include "ui/window/file_controller.h"
#include "ui/window/main_window.h"
#include "ui/window/running_window.h"
#include "ui/window/session_controller.h"

#include <QDir>
#include <QFileInfo>
#include <QScreen>
#include <QStringList>
#include <QStyle>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace calibscope::window {

namespace {

struct WindowOptions
{
    std::vector<std::string> files;
    std::string session;
    std::string theme;
    bool isFresh = false;
    bool allowExternal = false;
    bool usesNoCache = false;
    bool isNewWindow = false;
    bool isOne = false;
};

/// The files by paths that hold in another process, too. Throws Error(Usage) for an unknown address.
HandedFiles requestOf(const WindowOptions& options)
{
    HandedFiles request{
        .files = {}, .allowExternal = options.allowExternal, .isOne = options.isOne};
    std::vector<std::string> files = options.files;
    if (!options.session.empty())
        files = {options.session};
    for (const std::string& file : files) {
        if (options.session.empty() && isAddress(file))
            static_cast<void>(parseTensorAddress(file));
        request.files +=
            isAddress(file)
                ? QString::fromStdString(file)
                : QDir::current().absoluteFilePath(QString::fromLocal8Bit(file.c_str()));
    }
    return request;
}

/// "a.h5::/conv1" is the tensor /conv1 of a.h5,
/// unless there is a file of that whole name.
void openNamed(MainWindow& mainWindow, QString path, bool allowExternal)
{
    if (isAddress(path.toStdString())) {
        const TensorAddress named = parseTensorAddress(path.toStdString());
        return mainWindow.open(
            QString::fromStdString(named.location.address()),
            {.allowExternal = allowExternal, .tensor = QString::fromStdString(named.tensor)});
    }
    Document::OpenOptions openOptions{.allowExternal = allowExternal, .tensor = {}};
    const auto parting = path.lastIndexOf(QStringLiteral("::"));
    if (parting > 0 && !QFileInfo::exists(path)) {
        openOptions.tensor = path.mid(parting + 2);
        path.truncate(parting);
    }
    mainWindow.open(path, openOptions);
}

void openAll(MainWindow& mainWindow, const HandedFiles& request)
{
    if (request.files.size() == 1)
        return openNamed(mainWindow, request.files.front(), request.allowExternal);
    mainWindow.files().openTogether(
        request.files, {.allowExternal = request.allowExternal, .tensor = {}},
        request.isOne ? FileController::Together::AsOne : FileController::Together::AsUsual);
}

/// Another start's files, in the window that runs.
void openHandedOver(MainWindow& mainWindow, const HandedFiles& request)
{
    mainWindow.setWindowState(mainWindow.windowState() & ~Qt::WindowMinimized);
    mainWindow.raise();
    mainWindow.activateWindow();
    if (!request.files.isEmpty())
        openAll(mainWindow, request);
}

int showWindow(const WindowOptions& options)
{
    const auto application = makeApplication(Display::Screen);
    const HandedFiles request = requestOf(options);
    const QString address = RunningWindow::usualAddress();
    const bool isShared = !options.isFresh && !options.isNewWindow;
    if (isShared && RunningWindow::take(address, request)) {
        sayOnStderr("calibscope: opened in the window that runs; --new-window opens another one");
        return 0;
    }
    MainWindowOptions windowOptions;
    if (options.isFresh)
        windowOptions.keeping = Preferences::Keeping::Forget;
    else if (!options.usesNoCache)
        windowOptions.cacheFolder = QString::fromStdString(userCacheFolder().string());
    if (!options.theme.empty())
        windowOptions.theme = parseTheme(QString::fromStdString(options.theme));
    MainWindow mainWindow(windowOptions);
    // The engine starts while the window is laid out.
    if (!options.session.empty())
        mainWindow.sessions().open(request.files.front());
    else if (!request.files.isEmpty())
        openAll(mainWindow, request);
    else
        mainWindow.files().openLast();
    // On a small screen a frame around it would hide its ends.
    const QSize room = mainWindow.screen()->availableSize();
    const int frame = mainWindow.style()->pixelMetric(QStyle::PM_TitleBarHeight);
    if (mainWindow.width() > room.width() || mainWindow.height() + frame > room.height())
        mainWindow.showMaximized();
    else
        mainWindow.show();
    std::optional<RunningWindow> running;
    if (isShared)
        running.emplace(address, [&mainWindow](const HandedFiles& handedOver) {
            openHandedOver(mainWindow, handedOver);
        });
    mainWindow.sessions().offerRecovery();
    return QApplication::exec();
}

}  // namespace

Command windowCommand()
{
    const auto options = std::make_shared<WindowOptions>();
    Command command{.name = "calibscope",
                    .help = "Inspect how calibration algorithms scale recorded activations and "
                            "weights"};
    command.add({.names = "FILE",
                 .target = &options->files,
                 .help =
                     "dumps to open: two of a kind are compared, others become one dump; "
                     "FILE::TENSOR shows that tensor; ssh://host/path is on another machine; or a "
                     "session (.calsession)",
                 .type = ""});
    command.add({.names = "--session",
                 .target = &options->session,
                 .help = "session to open",
                 .type = "FILE",
                 .excludes = "FILE"});
    command.add({.names = "--theme",
                 .target = &options->theme,
                 .help = "light, dark or system (default: as last time)",
                 .type = "THEME",
                 .words = {"light", "dark", "system"}});
    command.add({.names = "--join",
                 .target = &options->isOne,
                 .help = "open all files as one dump, two of a kind, too"});
    command.add({.names = "--new-window",
                 .target = &options->isNewWindow,
                 .help = "a window of its own, where one runs already"});
    command.add({.names = "--fresh",
                 .target = &options->isFresh,
                 .help = "neither use nor write settings and cached results"});
    command.add(
        {.names = "--no-cache",
         .target = &options->usesNoCache,
         .help = "neither use nor cache results of dumps (default: in the user's cache folder)"});
    command.add({.names = "--allow-external",
                 .target = &options->allowExternal,
                 .help = "follow links and raw data in other files"});
    command.run = [options] { return showWindow(*options); };
    return command;
}

}  // namespace calibscope::window
