#include "app/calibscope/application.h"
#include "app/calibscope/subcommands.h"
#include "ui/main_window.h"

#include <CLI/CLI.hpp>

#include <QFileInfo>

#include <memory>
#include <string>

namespace calibscope::window {

namespace {

struct WindowOptions
{
    std::string file;
    std::string second;
    std::string theme;
    bool isFresh = false;
    bool allowExternal = false;
};

/// "a.h5::/conv1" is the tensor /conv1 of a.h5, unless there is a file of that whole name.
void openNamed(MainWindow& mainWindow, const WindowOptions& options)
{
    QString path = QString::fromLocal8Bit(options.file.c_str());
    Session::OpenOptions openOptions{.allowExternal = options.allowExternal, .tensor = {}};
    const auto parting = path.lastIndexOf(QStringLiteral("::"));
    if (parting > 0 && !QFileInfo::exists(path)) {
        openOptions.tensor = path.mid(parting + 2);
        path.truncate(parting);
    }
    mainWindow.open(path, openOptions);
    if (!options.second.empty())
        mainWindow.openSecond(QString::fromLocal8Bit(options.second.c_str()));
}

int showWindow(const WindowOptions& options)
{
    const auto application = makeApplication(Display::Screen);
    MainWindowOptions windowOptions;
    if (options.isFresh)
        windowOptions.keeping = Preferences::Keeping::Forget;
    if (!options.theme.empty())
        windowOptions.theme = parseTheme(QString::fromStdString(options.theme));
    MainWindow mainWindow(windowOptions);
    mainWindow.show();
    if (!options.file.empty())
        openNamed(mainWindow, options);
    else
        mainWindow.openLast();
    return QApplication::exec();
}

}  // namespace

void declareWindow(CLI::App& app, Action& action)
{
    const auto options = std::make_shared<WindowOptions>();
    app.add_option("FILE", options->file, "HDF5 dump to open; FILE::TENSOR shows that tensor")
        ->type_name("");
    app.add_option("SECOND", options->second, "dump to compare it with")->type_name("");
    app.add_option("--theme", options->theme, "light, dark or system (default: as last time)")
        ->check(CLI::IsMember({"light", "dark", "system"}))
        ->type_name("THEME");
    app.add_flag("--fresh", options->isFresh, "neither use nor write settings");
    app.add_flag("--allow-external", options->allowExternal,
                 "follow links and raw data in other files");
    app.callback([&app, &action, options] {
        if (app.get_subcommands().empty())
            action = [options] { return showWindow(*options); };
    });
}

}  // namespace calibscope::window
