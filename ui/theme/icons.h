#pragma once

#include "ui/theme/chart_colors.h"

#include <QColor>
#include <QIcon>

namespace calibscope {

/// A filled square that stands for a line of that colour.
[[nodiscard]] QIcon swatchIcon(const QColor& color);

/// A piece of a line of that colour and dash pattern, twice as wide as high.
[[nodiscard]] QIcon lineIcon(const SeriesStyle& style);

/// An arrow that turns back.
[[nodiscard]] QIcon resetIcon(const QColor& color);

/// A five-pointed star: no font needs to hold it.
[[nodiscard]] QIcon starIcon(const QColor& color);

}  // namespace calibscope
