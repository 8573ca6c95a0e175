#pragma once

#include <QColor>
#include <QIcon>

namespace calibscope {

/// A filled square that stands for a line of that colour.
[[nodiscard]] QIcon swatchIcon(const QColor& color);

/// A five-pointed star: no font needs to hold it.
[[nodiscard]] QIcon starIcon(const QColor& color);

}  // namespace calibscope
