// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/theme.h"

#include "core/base/error.h"
#include "ui/theme/chart_colors.h"
#include "ui/theme/icons.h"
#include "ui/theme/palettes.h"

#include <QApplication>
#include <QComboBox>
#include <QFontDatabase>
#include <QHeaderView>
#include <QLabel>
#include <QPainter>
#include <QPainterPath>
#include <QPushButton>
#include <QStringList>
#include <QStyle>
#include <QStyleOption>
#include <QTableView>
#include <QToolButton>

#include <algorithm>
#include <array>
#include <clocale>
#include <cmath>
#include <stdexcept>

// The resources of a static library are dropped by the linker unless named; Q_INIT_RESOURCE works
// outside of namespaces only.
static void initResources()
{
    Q_INIT_RESOURCE(resources);
}

namespace calibscope {

namespace {

constexpr int mostOpened = 16;  // rows of a combo box

bool addFontFiles()
{
    initResources();
    for (const char* file :
         {":/fonts/Roboto-Regular.ttf", ":/fonts/Roboto-Bold.ttf", ":/fonts/NotoMono-Regular.ttf",
          ":/fonts/DejaVuSans.ttf", ":/fonts/DejaVuSans-Bold.ttf"})
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

constexpr double cornerRadius = 3.0;
constexpr int rowPadding = 8;  // pixels of a row above and below its text, together
constexpr int leastRow = 22;

QRectF crisp(const QRect& rect)
{
    return QRectF(rect).adjusted(0.5, 0.5, -0.5, -0.5);
}

/// What a button is filled with, as it is hovered, pressed or down.
QColor buttonFill(const QStyleOption& option)
{
    const QPalette& colors = option.palette;
    const QColor text = colors.color(QPalette::ButtonText);
    const bool isEnabled = option.state.testFlag(QStyle::State_Enabled);
    if (option.state.testFlag(QStyle::State_On))
        return colors.color(QPalette::Active, QPalette::Highlight);
    if (option.state.testFlag(QStyle::State_Sunken))
        return blended(colors.color(QPalette::Button), text, 0.16);
    if (isEnabled && option.state.testFlag(QStyle::State_MouseOver))
        return blended(colors.color(QPalette::Button), text, 0.07);
    return colors.color(QPalette::Button);
}

QColor frameColor(const QStyleOption& option)
{
    const bool hasFocus = option.state.testFlag(QStyle::State_HasFocus) &&
                          option.state.testFlag(QStyle::State_Enabled);
    return option.palette.color(hasFocus ? QPalette::Link : QPalette::Mid);
}

void paintPushButton(QPainter& painter, const QStyleOption& option)
{
    const auto* button = qstyleoption_cast<const QStyleOptionButton*>(&option);
    const bool isDefault =
        button != nullptr && button->features.testFlag(QStyleOptionButton::DefaultButton);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(isDefault ? option.palette.color(QPalette::Link) : frameColor(option));
    painter.setBrush(buttonFill(option));
    painter.drawRoundedRect(crisp(option.rect), cornerRadius, cornerRadius);
    painter.restore();
}

bool isSegment(const QWidget* widget)
{
    return widget && widget->property("segment").toBool();
}

/// A line below the chosen one: it is a view's tab, no button that is down.
void paintSegment(QPainter& painter, const QStyleOption& option)
{
    constexpr int lineHeight = 2;
    const QPalette& colors = option.palette;
    const bool isOn = option.state.testFlag(QStyle::State_On);
    if (!isOn && (option.state & (QStyle::State_MouseOver | QStyle::State_Sunken)))
        painter.fillRect(option.rect, buttonFill(option));
    if (isOn)
        painter.fillRect(QRect(option.rect.left(), option.rect.bottom() + 1 - lineHeight,
                               option.rect.width(), lineHeight),
                         colors.color(QPalette::Link));
    if (option.state.testFlag(QStyle::State_HasFocus)) {
        painter.setPen(colors.color(QPalette::Link));
        painter.drawRect(option.rect.adjusted(0, 0, -1, -1));
    }
}

void paintToolButton(QPainter& painter, const QStyleOption& option, const QWidget* widget)
{
    const bool isFlat = option.state.testFlag(QStyle::State_AutoRaise) &&
                        !(option.state & (QStyle::State_On | QStyle::State_Sunken |
                                          QStyle::State_MouseOver | QStyle::State_HasFocus));
    if (isFlat && !isSegment(widget))
        return;
    painter.save();
    if (isSegment(widget)) {
        paintSegment(painter, option);
    } else {
        painter.setRenderHint(QPainter::Antialiasing);
        const bool isOn = option.state.testFlag(QStyle::State_On);
        painter.setPen(isOn ? option.palette.color(QPalette::Link) : frameColor(option));
        painter.setBrush(buttonFill(option));
        painter.drawRoundedRect(crisp(option.rect), cornerRadius, cornerRadius);
    }
    painter.restore();
}

void paintHeaderSection(QPainter& painter, const QStyleOption& option)
{
    const auto* header = qstyleoption_cast<const QStyleOptionHeader*>(&option);
    painter.fillRect(option.rect, buttonFill(option));
    painter.setPen(option.palette.color(QPalette::Mid));
    const QRect& box = option.rect;
    painter.drawLine(box.bottomLeft(), box.bottomRight());
    const bool isLast =
        header != nullptr && (header->position == QStyleOptionHeader::End ||
                              header->position == QStyleOptionHeader::OnlyOneSection);
    if (!isLast)
        painter.drawLine(box.topRight() + QPoint(0, 4), box.bottomRight() - QPoint(0, 4));
}

/// A "v" or an upside down one.
void paintChevron(QPainter& painter, const QRect& box, bool isUp, const QColor& color)
{
    const double side = 2.5;
    const double turn = isUp ? -1.0 : 1.0;
    const QPointF middle = QRectF(box).center();
    painter.setPen(QPen(color, 1.2, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter.setBrush(Qt::NoBrush);
    painter.drawPolyline(QPolygonF{middle + QPointF(-side, -turn * side / 2.0),
                                   middle + QPointF(0.0, turn * side / 2.0),
                                   middle + QPointF(side, -turn * side / 2.0)});
}

void paintSpinBox(const QStyle& style, QPainter& painter, const QStyleOptionSpinBox& option,
                  const QWidget* widget)
{
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    const bool isEnabled = option.state.testFlag(QStyle::State_Enabled);
    if (option.frame) {
        painter.setPen(frameColor(option));
        painter.setBrush(option.palette.color(isEnabled ? QPalette::Active : QPalette::Disabled,
                                              QPalette::Base));
        painter.drawRoundedRect(crisp(option.rect), cornerRadius, cornerRadius);
    }
    if (option.buttonSymbols != QAbstractSpinBox::NoButtons) {
        const auto paintStep = [&](QStyle::SubControl which,
                                   QAbstractSpinBox::StepEnabledFlag step) {
            const QRect box = style.subControlRect(QStyle::CC_SpinBox, &option, which, widget);
            const bool isPossible = isEnabled && option.stepEnabled.testFlag(step);
            const bool isActive = option.activeSubControls == which && isPossible;
            if (isActive)
                painter.fillRect(box.adjusted(0, 1, -1, -1),
                                 blended(option.palette.color(QPalette::Base),
                                         option.palette.color(QPalette::Text), 0.12));
            paintChevron(painter, box, which == QStyle::SC_SpinBoxUp,
                         option.palette.color(isPossible ? QPalette::Active : QPalette::Disabled,
                                              QPalette::Text));
        };
        paintStep(QStyle::SC_SpinBoxUp, QAbstractSpinBox::StepUpEnabled);
        paintStep(QStyle::SC_SpinBoxDown, QAbstractSpinBox::StepDownEnabled);
    }
    painter.restore();
}

/// Ours for what Fusion draws as a picture; empty: its own.
QString markOf(QStyle::StandardPixmap which)
{
    switch (which) {
    case QStyle::SP_TitleBarCloseButton:
    case QStyle::SP_DockWidgetCloseButton:
    case QStyle::SP_LineEditClearButton: return QStringLiteral("close");
    case QStyle::SP_TitleBarNormalButton: return QStringLiteral("float");
    case QStyle::SP_MessageBoxInformation: return QStringLiteral("note");
    case QStyle::SP_MessageBoxWarning: return QStringLiteral("warning");
    case QStyle::SP_MessageBoxCritical: return QStringLiteral("problem");
    default: return {};
    }
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

void speakEnglish()
{
    std::setlocale(LC_MESSAGES, "C");
}

QFont asBundled(QFont font)
{
    // Symbols that Roboto lacks, and hints, which move letters, are not the desktop's to choose.
    font.setFamilies({fontFamily(), QStringLiteral("DejaVu Sans")});
    font.setHintingPreference(QFont::PreferVerticalHinting);
    return font;
}

QFont codeFont()
{
    QFont font = QApplication::font();
    font.setFamily(QStringLiteral("Noto Mono"));
    return font;
}

QFont pictureFont(int pixelSize)
{
    QFont font = asBundled({});
    font.setPixelSize(pixelSize);
    font.setHintingPreference(QFont::PreferNoHinting);
    return font;
}

namespace {

constexpr int numbersApartPixels = 10;

/// Room before the texts of that column of a table: numbers stand at the right end of the one
/// before.
int roomBefore(const QTableView* table, int column)
{
    if (!table || !table->property("numbersApart").toBool())
        return 0;
    const QHeaderView& header = *table->horizontalHeader();
    const auto isRight = [&](int section) {
        return (table->model()->headerData(section, Qt::Horizontal, Qt::TextAlignmentRole).toInt() &
                Qt::AlignRight) != 0;
    };
    int before = header.visualIndex(column) - 1;
    while (before >= 0 && header.isSectionHidden(header.logicalIndex(before)))
        --before;
    return before >= 0 && isRight(header.logicalIndex(before)) && !isRight(column)
               ? numbersApartPixels
               : 0;
}

/// The same of a cell or a heading that the style is asked about.
int roomBefore(const QStyleOption* option, const QWidget* widget)
{
    if (const auto* cell = qstyleoption_cast<const QStyleOptionViewItem*>(option))
        return roomBefore(qobject_cast<const QTableView*>(widget), cell->index.column());
    const auto* heading = qstyleoption_cast<const QStyleOptionHeader*>(option);
    return heading && heading->orientation == Qt::Horizontal && widget
               ? roomBefore(qobject_cast<const QTableView*>(widget->parentWidget()),
                            heading->section)
               : 0;
}

}  // namespace

PlainStyle::PlainStyle() : QProxyStyle(QStringLiteral("fusion"))
{
    setObjectName(QStringLiteral("fusion"));
}

void PlainStyle::drawPrimitive(PrimitiveElement element, const QStyleOption* option,
                               QPainter* painter, const QWidget* widget) const
{
    switch (element) {
    case PE_IndicatorCheckBox: return paintCheckBox(*painter, *option);
    case PE_FrameLineEdit: return paintLineEditFrame(*painter, *option);
    case PE_PanelButtonCommand: return paintPushButton(*painter, *option);
    case PE_PanelButtonTool: return paintToolButton(*painter, *option, widget);
    case PE_FrameFocusRect:
        if (isSegment(widget))
            return;  // has a frame of its own
        break;
    default: break;
    }
    QProxyStyle::drawPrimitive(element, option, painter, widget);
}

void PlainStyle::drawControl(ControlElement element, const QStyleOption* option, QPainter* painter,
                             const QWidget* widget) const
{
    if (element == CE_HeaderSection) {
        paintHeaderSection(*painter, *option);
    } else if (element == CE_HeaderEmptyArea) {
        painter->fillRect(option->rect, option->palette.color(QPalette::Button));
        painter->setPen(option->palette.color(QPalette::Mid));
        painter->drawLine(option->rect.bottomLeft(), option->rect.bottomRight());
    } else if (element == CE_ToolBar) {
        painter->fillRect(option->rect, option->palette.color(QPalette::Window));
        painter->setPen(option->palette.color(QPalette::Midlight));
        painter->drawLine(option->rect.bottomLeft(), option->rect.bottomRight());
    } else {
        QProxyStyle::drawControl(element, option, painter, widget);
    }
}

void PlainStyle::drawComplexControl(ComplexControl control, const QStyleOptionComplex* option,
                                    QPainter* painter, const QWidget* widget) const
{
    if (const auto* spin = qstyleoption_cast<const QStyleOptionSpinBox*>(option);
        control == CC_SpinBox && spin)
        paintSpinBox(*proxy(), *painter, *spin, widget);
    else
        QProxyStyle::drawComplexControl(control, option, painter, widget);
}

QSize PlainStyle::sizeFromContents(ContentsType type, const QStyleOption* option, const QSize& size,
                                   const QWidget* widget) const
{
    QSize wanted = QProxyStyle::sizeFromContents(type, option, size, widget);
    if (type == CT_ItemViewItem && option)
        wanted.setHeight(std::max(wanted.height(), rowHeight(option->fontMetrics)));
    if (type == CT_ItemViewItem || type == CT_HeaderSection)
        wanted.rwidth() += roomBefore(option, widget);
    return wanted;
}

QRect PlainStyle::subElementRect(SubElement element, const QStyleOption* option,
                                 const QWidget* widget) const
{
    const QRect rect = QProxyStyle::subElementRect(element, option, widget);
    return element == SE_ItemViewItemText || element == SE_HeaderLabel
               ? rect.adjusted(roomBefore(option, widget), 0, 0, 0)
               : rect;
}

int PlainStyle::pixelMetric(PixelMetric metric, const QStyleOption* option,
                            const QWidget* widget) const
{
    switch (metric) {
    case PM_HeaderDefaultSectionSizeVertical:
        return rowHeight(widget ? widget->fontMetrics() : QFontMetrics(QApplication::font()));
    case PM_ToolBarIconSize:
    case PM_SmallIconSize: return 16;
    default: return QProxyStyle::pixelMetric(metric, option, widget);
    }
}

int PlainStyle::styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
                          QStyleHintReturn* data) const
{
    const auto* combo = qobject_cast<const QComboBox*>(widget);
    const bool isOff = hint == SH_DialogButtonBox_ButtonsHaveIcons ||
                       hint == SH_Widget_Animation_Duration ||
                       (hint == SH_ComboBox_Popup && combo && combo->count() > mostOpened);
    return isOff ? 0 : QProxyStyle::styleHint(hint, option, widget, data);
}

/// Qt makes the label of a tool tip itself, and has it polished before it gets its text.
void PlainStyle::polish(QWidget* widget)
{
    QProxyStyle::polish(widget);
    if (auto* combo = qobject_cast<QComboBox*>(widget))
        combo->setMaxVisibleItems(mostOpened);
    if (auto* label = qobject_cast<QLabel*>(widget); label && widget->inherits("QTipLabel"))
        label->setTextFormat(Qt::PlainText);
}

QIcon PlainStyle::standardIcon(StandardPixmap which, const QStyleOption* option,
                               const QWidget* widget) const
{
    if (which == SP_MessageBoxQuestion)
        return {};
    const QString mark = markOf(which);
    return mark.isEmpty() ? QProxyStyle::standardIcon(which, option, widget) : markGlyph(mark);
}

QPixmap PlainStyle::standardPixmap(StandardPixmap which, const QStyleOption* option,
                                   const QWidget* widget) const
{
    const QString mark = markOf(which);
    return mark.isEmpty() ? QProxyStyle::standardPixmap(which, option, widget)
                          : markGlyph(mark).pixmap(16);
}

int rowHeight(const QFontMetrics& metrics)
{
    return std::max(metrics.height() + rowPadding, leastRow);
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

void installStyle()
{
    loadFonts();
    if (QApplication::font().family() != fontFamily())
        QApplication::setFont(asBundled(QApplication::font()));
    if (!qobject_cast<PlainStyle*>(QApplication::style()))
        QApplication::setStyle(new PlainStyle);  // the application owns it
}

void applyTheme(QApplication& application, Theme theme)
{
    installStyle();
    const bool dark =
        theme == Theme::Dark || (theme == Theme::System && isDesktopDark(application));
    application.setPalette(dark ? darkPalette() : lightPalette());
}

void applyFontSize(QApplication& application, int points)
{
    constexpr const char* desktopSize = "desktopFontSize";  // kept from before the first change
    QFont font = QApplication::font();
    if (!application.property(desktopSize).isValid())
        application.setProperty(desktopSize, font.pointSizeF());
    const double wanted = points > 0 ? points : application.property(desktopSize).toDouble();
    if (!(wanted > 0.0) || qFuzzyCompare(font.pointSizeF(), wanted))
        return;
    font.setPointSizeF(wanted);
    QApplication::setFont(font);
}

}  // namespace calibscope
