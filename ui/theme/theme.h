// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFont>
#include <QFontMetrics>
#include <QProxyStyle>
#include <QString>

class QApplication;

namespace calibscope {

/// Makes the bundled fonts known to Qt; further calls change nothing. Throws std::runtime_error if
/// Qt refuses it. Needs a QGuiApplication.
void loadFonts();

/// Family of the bundled font: digits of one width, Greek, superscripts.
[[nodiscard]] QString fontFamily();

/// A font of that size in the bundled families; the same letters at the same places on any desktop.
/// Needs loadFonts().
[[nodiscard]] QFont asBundled(QFont font);

/// The system's sentences in English, as all of ours are, whatever the desktop's language; needs a
/// QCoreApplication, which takes the locale.
void speakEnglish();

/// The bundled font of one advance width, as large as the application's: for lines of code.
[[nodiscard]] QFont codeFont();

/// The bundled font at a size in pixels: for pictures, whose text must not follow the desktop.
[[nodiscard]] QFont pictureFont(int pixelSize);

/// Fusion without its gradients: buttons, fields, spin boxes and headers are flat, with frames that
/// are seen on dark ground too (Fusion derives them from the window's colour, darkened), rows of
/// lists and tables have one height, and pictograms are ours. Buttons of dialogs and questions say
/// it in words alone. A list of a combo box that would fill the screen scrolls. Tool tips show their text as it is: names from files are in many.
///
/// A QTableView with the property "numbersApart" keeps its texts away from numbers before them.
/// A QToolButton with the property "segment" is one of a few views: underlined where it is chosen.
class PlainStyle : public QProxyStyle
{
    Q_OBJECT

public:
    PlainStyle();

    void drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                       const QWidget* widget) const override;
    void drawControl(ControlElement element, const QStyleOption* option, QPainter* painter,
                     const QWidget* widget) const override;
    void drawComplexControl(ComplexControl control, const QStyleOptionComplex* option,
                            QPainter* painter, const QWidget* widget) const override;
    [[nodiscard]] QSize sizeFromContents(ContentsType type, const QStyleOption* option,
                                         const QSize& size, const QWidget* widget) const override;
    [[nodiscard]] QRect subElementRect(SubElement element, const QStyleOption* option,
                                       const QWidget* widget) const override;
    [[nodiscard]] int pixelMetric(PixelMetric metric, const QStyleOption* option,
                                  const QWidget* widget) const override;
    [[nodiscard]] int styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
                                QStyleHintReturn* data) const override;
    using QProxyStyle::polish;
    void polish(QWidget* widget) override;
    [[nodiscard]] QIcon standardIcon(StandardPixmap which, const QStyleOption* option,
                                     const QWidget* widget) const override;
    [[nodiscard]] QPixmap standardPixmap(StandardPixmap which, const QStyleOption* option,
                                         const QWidget* widget) const override;
};

/// Height of the rows of every list and table.
[[nodiscard]] int rowHeight(const QFontMetrics& metrics);

enum class Theme {
    System,  ///< as light or dark as the desktop's own palette
    Light,
    Dark,
};

/// "system", "light", "dark": the words of the command line and of the settings file.
[[nodiscard]] QString themeText(Theme theme);
/// The theme of that word. Throws Error(Usage) for any other.
[[nodiscard]] Theme parseTheme(const QString& text);

/// Gives the application the bundled font and the Fusion style, once.
void installStyle();

/// And the palette of the theme. May be called again at any time; widgets hear of it by
/// QEvent::PaletteChange.
void applyTheme(QApplication& application, Theme theme);

/// Size of the window's text in points, 0: the desktop's. Pictures keep theirs (pictureFont()).
void applyFontSize(QApplication& application, int points);

}  // namespace calibscope
