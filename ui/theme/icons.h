// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/theme/chart_colors.h"

#include <QColor>
#include <QIcon>
#include <QPolygonF>
#include <QString>

namespace calibscope {

/// One of our monoline pictures of 16 pixels, from resources/icons/`folder`/`name`.svg: drawn anew
/// at each size and sharpness, in the colour of the text of buttons that the palette has then.
/// Nothing (isNull()) if there is no such picture.
[[nodiscard]] QIcon actionGlyph(const QString& action);
/// The same of those that are not an action's: close, float, success, note, warning, problem, reset.
/// With a valid colour always in that.
[[nodiscard]] QIcon markGlyph(const QString& mark, const QColor& color = {});

/// A filled square that stands for a line of that colour.
[[nodiscard]] QIcon swatchIcon(const QColor& color);

/// A piece of a line of that colour and dash pattern, twice as wide as high.
[[nodiscard]] QIcon lineIcon(const SeriesStyle& style);
/// A curve instead, points and the `chosen` one from 0 to 1, up and to the right.
[[nodiscard]] QIcon curveIcon(const SeriesStyle& style, const QPolygonF& curve,
                              const QPointF& chosen);

/// A five-pointed star: no font needs to hold it.
[[nodiscard]] QIcon starIcon(const QColor& color);

}  // namespace calibscope
