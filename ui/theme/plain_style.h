#pragma once

#include <QProxyStyle>

namespace calibscope {

/// Fusion, with check boxes and text fields whose frame is seen on dark ground too: Fusion derives
/// it from the window's colour, darkened. Buttons of dialogs and questions say it in words alone.
class PlainStyle : public QProxyStyle
{
    Q_OBJECT

public:
    PlainStyle();

    void drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                       const QWidget* widget) const override;
    [[nodiscard]] int styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
                                QStyleHintReturn* data) const override;
    [[nodiscard]] QIcon standardIcon(StandardPixmap which, const QStyleOption* option,
                                     const QWidget* widget) const override;
};

}  // namespace calibscope
