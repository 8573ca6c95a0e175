#include "ui/theme/theme.h"

#include "core/base/error.h"
#include "ui/theme/fonts.h"
#include "ui/theme/palettes.h"
#include "ui/theme/plain_style.h"

#include <QApplication>
#include <QStyle>

#include <array>

namespace calibscope {

namespace {

constexpr std::array allThemes = {Theme::System, Theme::Light, Theme::Dark};

/// Qt 6.4 can't be asked for the desktop's colour scheme: an application without a palette of its
/// own shows it.
bool isDesktopDark(QApplication& application)
{
    application.setPalette(QPalette());
    return isDark(QApplication::palette());
}

}  // namespace

QString themeText(Theme theme)
{
    switch (theme) {
    case Theme::System: return QStringLiteral("system");
    case Theme::Light: return QStringLiteral("light");
    case Theme::Dark: return QStringLiteral("dark");
    }
    return {};
}

Theme parseTheme(const QString& text)
{
    for (const Theme theme : allThemes)
        if (themeText(theme) == text)
            return theme;
    throw Error(Fault::Usage,
                "there is no theme " + text.toStdString() + "; there are system, light, dark");
}

void applyTheme(QApplication& application, Theme theme)
{
    loadFonts();
    QFont font = QApplication::font();
    font.setFamily(fontFamily());
    QApplication::setFont(font);

    if (!qobject_cast<PlainStyle*>(QApplication::style()))
        QApplication::setStyle(new PlainStyle);  // the application owns it
    const bool dark =
        theme == Theme::Dark || (theme == Theme::System && isDesktopDark(application));
    application.setPalette(dark ? darkPalette() : lightPalette());
}

}  // namespace calibscope
