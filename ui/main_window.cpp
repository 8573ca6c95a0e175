#include "ui/main_window.h"

#include "ui/pages/start_page.h"
#include "ui/sample_dump.h"

#include <QApplication>
#include <QFileInfo>

namespace calibscope {

MainWindow::MainWindow(const MainWindowOptions& options) : m_preferences(options.keeping)
{
    applyTheme(*qApp, options.theme.value_or(m_preferences.theme()));
    resize(1280, 800);
    auto* startPage = new StartPage(this);
    startPage->setRecentFiles(m_preferences.recentFiles());
    startPage->setSampleAvailable(!sampleDumpPath().isEmpty());
    setCentralWidget(startPage);
}

void MainWindow::open(const QString& path)
{
    setWindowTitle(QFileInfo(path).fileName());
}

}  // namespace calibscope
