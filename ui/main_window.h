#pragma once

#include "ui/preferences.h"

#include <QMainWindow>
#include <QString>

#include <optional>

namespace calibscope {

struct MainWindowOptions
{
    Preferences::Keeping keeping = Preferences::Keeping::Remember;
    std::optional<Theme> theme;  ///< nothing: as remembered
};

/// The application's window: menus, docks and the page in the middle.
class MainWindow : public QMainWindow
{
    Q_OBJECT

public:
    explicit MainWindow(const MainWindowOptions& options = {});

    void open(const QString& path);

private:
    Preferences m_preferences;
};

}  // namespace calibscope
