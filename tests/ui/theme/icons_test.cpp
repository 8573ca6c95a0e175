// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/icons.h"

#include "tests/support/catch.h"
#include "ui/theme/theme.h"

#include <QApplication>
#include <QDir>
#include <QImage>
#include <QPixmap>

namespace icons_test {

using namespace calibscope;

/// The colour of the pixel that is covered most.
QColor strongest(const QImage& image)
{
    QColor found(Qt::transparent);
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x)
            if (image.pixelColor(x, y).alpha() > found.alpha())
                found = image.pixelColor(x, y);
    return found;
}

/// Pixels that are neither empty nor full: what a blurred picture is full of.
double blurredShare(const QImage& image)
{
    int touched = 0;
    int partial = 0;
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x) {
            const int alpha = image.pixelColor(x, y).alpha();
            touched += alpha > 0 ? 1 : 0;
            partial += alpha > 0 && alpha < 230 ? 1 : 0;
        }
    return touched == 0 ? 1.0 : static_cast<double>(partial) / touched;
}

QImage drawn(const QIcon& icon, QIcon::Mode mode = QIcon::Normal, double ratio = 1.0)
{
    return icon.pixmap(QSize(16, 16), ratio, mode).toImage();
}

TEST_CASE("a glyph has the colour of the text, in the theme that is chosen later too")
{
    applyTheme(*qApp, Theme::Light);
    const QIcon icon = actionGlyph("view.full-screen");
    REQUIRE_FALSE(icon.isNull());
    const QColor light = strongest(drawn(icon));
    CHECK(light.lightness() < 80);
    CHECK(strongest(drawn(icon, QIcon::Disabled)).lightness() > light.lightness() + 40);
    applyTheme(*qApp, Theme::Dark);
    CHECK(strongest(drawn(icon)).lightness() > 180);
    applyTheme(*qApp, Theme::Light);
    CHECK(strongest(drawn(icon)) == light);
}

TEST_CASE("a glyph is drawn at the pixels of the screen, not scaled up")
{
    const QIcon icon = actionGlyph("view.full-screen");
    const QImage once = drawn(icon);
    const QImage twice = drawn(icon, QIcon::Normal, 2.0);
    CHECK(once.size() == QSize(16, 16));
    CHECK(twice.size() == QSize(32, 32));
    // Straight lines alone: at twice the pixels they are sharper than once scaled up.
    CHECK(blurredShare(twice) <
          blurredShare(once.scaled(32, 32, Qt::IgnoreAspectRatio, Qt::SmoothTransformation)));
}

TEST_CASE("all our pictures can be drawn, and there are no others")
{
    loadFonts();  // the resources
    for (const char* folder : {"actions", "marks"})
        for (const QString& file : QDir(QString(":/icons/") + folder).entryList()) {
            CAPTURE(folder, file.toStdString());
            const QString name = file.chopped(4);
            const QIcon icon = QString(folder) == "marks" ? markGlyph(name) : actionGlyph(name);
            CHECK(strongest(drawn(icon)).alpha() > 150);
        }
    CHECK(actionGlyph("no.such-action").isNull());
    CHECK(markGlyph("nothing").isNull());
}

TEST_CASE("a mark can have a colour of its own")
{
    CHECK(strongest(drawn(markGlyph("problem", QColor(0xff0000)))).red() == 255);
}

}  // namespace icons_test
