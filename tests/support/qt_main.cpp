// SPDX-License-Identifier: GPL-3.0-or-later
#define CATCH_CONFIG_RUNNER  // Catch2 2: its implementation is compiled here; 3 ignores it
#include "tests/support/catch.h"
#include "ui/theme/theme.h"

#include <QApplication>

namespace {

/// Two screens, of one and of two pixels for each of a widget's. In Qt 6.4, which the pictures are
/// of, the platform gives the second its pixels; windows of newer versions don't follow it there,
/// and Qt's own scaling, which they follow, would draw letters otherwise in 6.4.
void makeScreens()
{
    const QByteArray folder = CALIBSCOPE_SOURCE_DIR "/tests/support/";
    if (QByteArrayView(qVersion()).startsWith("6.4.")) {
        qputenv("QT_QPA_PLATFORM", "offscreen:configfile=" + folder + "screens.json");
    } else {
        qputenv("QT_QPA_PLATFORM", "offscreen:configfile=" + folder + "scaled_screens.json");
        qputenv("QT_SCREEN_SCALE_FACTORS", "plain=1;fine=2");
    }
}

}  // namespace

/// Tests of widgets: without a display but with two screens, of one and of two pixels for each of a
/// widget's, and with settings of their own.
int main(int argc, char** argv)
{
    makeScreens();
    QCoreApplication::setOrganizationName("calibscope-tests");
    QCoreApplication::setApplicationName("ui_tests");
    const QApplication application(argc, argv);
    calibscope::speakEnglish();
    calibscope::loadFonts();
    QApplication::setFont(calibscope::asBundled(QApplication::font()));
    return Catch::Session().run(argc, argv);
}
