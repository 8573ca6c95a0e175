#include "ui/theme/theme.h"

#include "core/base/error.h"
#include "ui/theme/palettes.h"

#include <QApplication>
#include <QFontDatabase>
#include <QLabel>
#include <QPainter>
#include <QPainterPath>
#include <QStringList>
#include <QStyle>
#include <QStyleOption>

#include <array>
#include <stdexcept>

// The resources of a static library are dropped by the linker unless named; Q_INIT_RESOURCE works
// outside of namespaces only.
static void initResources()
{
    Q_INIT_RESOURCE(resources);
}

namespace calibscope {

namespace {

bool addFontFiles()
{
    initResources();
    for (const char* file : {":/fonts/Roboto-Regular.ttf", ":/fonts/Roboto-Bold.ttf"})
        if (QFontDatabase::addApplicationFont(QString::fromLatin1(file)) < 0)
            throw std::runtime_error(std::string(file) +
                                     ": the bundled font could not be loaded; rebuild Calibscope");
    return true;
}

void paintCheckBox(QPainter& painter, const QStyleOption& option)
{
    const bool isEnabled = option.state.testFlag(QStyle::State_Enabled);
    const QPalette::ColorGroup group = isEnabled ? QPalette::Active : QPalette::Disabled;
    const QColor mark = option.palette.color(group, QPalette::Text);
    QColor frame = option.palette.color(group, QPalette::PlaceholderText);
    if (option.state.testFlag(QStyle::State_HasFocus))
        frame = option.palette.color(QPalette::Link);

    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    const double side = std::min(option.rect.width(), option.rect.height()) - 1.0;
    QRectF box(0.0, 0.0, side, side);
    box.moveCenter(QRectF(option.rect).center());
    painter.setPen(frame);
    painter.setBrush(option.palette.color(group, QPalette::Base));
    painter.drawRoundedRect(box, 2.0, 2.0);
    painter.setPen(QPen(mark, side / 7.0, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    if (option.state.testFlag(QStyle::State_On)) {
        QPainterPath tick(box.topLeft() + QPointF(0.22, 0.52) * side);
        tick.lineTo(box.topLeft() + QPointF(0.42, 0.72) * side);
        tick.lineTo(box.topLeft() + QPointF(0.78, 0.28) * side);
        painter.setBrush(Qt::NoBrush);
        painter.drawPath(tick);
    } else if (option.state.testFlag(QStyle::State_NoChange)) {
        painter.drawLine(box.center() - QPointF(0.25, 0.0) * side,
                         box.center() + QPointF(0.25, 0.0) * side);
    }
    painter.restore();
}

void paintLineEditFrame(QPainter& painter, const QStyleOption& option)
{
    const bool hasFocus = option.state.testFlag(QStyle::State_HasFocus);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(option.palette.color(hasFocus ? QPalette::Link : QPalette::Mid));
    painter.setBrush(Qt::NoBrush);
    painter.drawRoundedRect(QRectF(option.rect).adjusted(0.5, 0.5, -0.5, -0.5), 2.0, 2.0);
    painter.restore();
}

constexpr std::array allThemes = {Theme::System, Theme::Light, Theme::Dark};

/// Qt 6.4 can't be asked for the desktop's colour scheme: an application without a palette of its
/// own shows it.
bool isDesktopDark(QApplication& application)
{
    application.setPalette(QPalette());
    return isDark(QApplication::palette());
}

}  // namespace

void loadFonts()
{
    static const bool areLoaded = addFontFiles();
    static_cast<void>(areLoaded);
}

QString fontFamily()
{
    return QStringLiteral("Roboto");
}

QFont pictureFont(int pixelSize)
{
    QFont font(fontFamily());
    font.setPixelSize(pixelSize);
    font.setHintingPreference(QFont::PreferNoHinting);
    return font;
}

PlainStyle::PlainStyle() : QProxyStyle(QStringLiteral("fusion"))
{
    setObjectName(QStringLiteral("fusion"));
}

void PlainStyle::drawPrimitive(PrimitiveElement element, const QStyleOption* option,
                               QPainter* painter, const QWidget* widget) const
{
    if (element == PE_IndicatorCheckBox)
        paintCheckBox(*painter, *option);
    else if (element == PE_FrameLineEdit)
        paintLineEditFrame(*painter, *option);
    else
        QProxyStyle::drawPrimitive(element, option, painter, widget);
}

int PlainStyle::styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
                          QStyleHintReturn* data) const
{
    return hint == SH_DialogButtonBox_ButtonsHaveIcons
               ? 0
               : QProxyStyle::styleHint(hint, option, widget, data);
}

/// Qt makes the label of a tool tip itself, and has it polished before it gets its text.
void PlainStyle::polish(QWidget* widget)
{
    QProxyStyle::polish(widget);
    if (auto* label = qobject_cast<QLabel*>(widget); label && widget->inherits("QTipLabel"))
        label->setTextFormat(Qt::PlainText);
}

QIcon PlainStyle::standardIcon(StandardPixmap which, const QStyleOption* option,
                               const QWidget* widget) const
{
    return which == SP_MessageBoxQuestion ? QIcon()
                                          : QProxyStyle::standardIcon(which, option, widget);
}

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
                "there is no theme " + text.toStdString() + "; available: system, light, dark");
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
