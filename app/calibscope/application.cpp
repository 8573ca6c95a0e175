#include "app/calibscope/application.h"

#include <string>

namespace calibscope::window {

std::unique_ptr<QApplication> makeApplication(Display display)
{
    if (display == Display::None)
        qputenv("QT_QPA_PLATFORM", "offscreen");
    // Qt keeps references to both for as long as the application lives.
    static int argumentCount = 1;
    static std::string programName = "calibscope";
    static char* arguments[] = {programName.data(), nullptr};

    QCoreApplication::setOrganizationName("calibscope");
    QCoreApplication::setApplicationName("calibscope");
    QCoreApplication::setApplicationVersion(CALIBSCOPE_VERSION);
    QGuiApplication::setApplicationDisplayName("Calibscope");
    QGuiApplication::setDesktopFileName("calibscope");
    return std::make_unique<QApplication>(argumentCount, arguments);
}

}  // namespace calibscope::window
