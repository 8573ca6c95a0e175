#define CATCH_CONFIG_RUNNER  // Catch2 2: its implementation is compiled here; 3 ignores it
#include "tests/support/catch.h"

#include <QApplication>

/// Tests of widgets: without a display but with two screens, of one and of two pixels for each of a
/// widget's, and with settings of their own.
int main(int argc, char** argv)
{
    qputenv("QT_QPA_PLATFORM",
            "offscreen:configfile=" CALIBSCOPE_SOURCE_DIR "/tests/support/screens.json");
    QCoreApplication::setOrganizationName("calibscope-tests");
    QCoreApplication::setApplicationName("ui_tests");
    const QApplication application(argc, argv);
    return Catch::Session().run(argc, argv);
}
