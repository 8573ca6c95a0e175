// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/slice/slice_axes.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>
#include <numeric>

namespace calibscope {

SliceAxes usualAxes(const std::vector<std::uint64_t>& shape)
{
    constexpr std::uint64_t shortAxis = 8;
    SliceAxes axes{.at = std::vector<std::uint64_t>(shape.size(), 0)};
    axes.column = shape.size() - 1;
    if (shape.size() == 1)
        return axes;
    std::vector<std::uint64_t> longer;
    for (std::uint64_t axis = 0; axis < shape.size(); ++axis)
        if (shape[axis] > 1)
            longer.push_back(axis);
    if (longer.size() < 2) {
        axes.row = axes.column - 1;
        return axes;
    }
    const bool areShort =
        shape[longer.back()] < shortAxis && shape[*(longer.end() - 2)] < shortAxis;
    if (areShort)
        std::ranges::stable_sort(longer, [&shape](std::uint64_t one, std::uint64_t other) {
            return shape[one] < shape[other];
        });
    const auto [row, column] = std::minmax({longer.back(), *(longer.end() - 2)});
    axes.row = row;
    axes.column = column;
    return axes;
}

QString axisName(const TensorInfo& tensor, std::uint64_t axis)
{
    const QString name =
        QCoreApplication::translate("SlicePage", "axis %1").arg(static_cast<qulonglong>(axis));
    if (tensor.layout.size() != tensor.shape.size())
        return name;
    return QStringLiteral("%1 (%2)").arg(name, QChar::fromLatin1(tensor.layout[axis]));
}

QString indexLabel(const std::vector<std::uint64_t>& index)
{
    QStringList words;
    for (const std::uint64_t one : index)
        words += QString::number(one);
    return u'[' + words.join(QStringLiteral(", ")) + u']';
}

std::vector<std::uint64_t> indexOf(const std::vector<std::uint64_t>& shape, std::uint64_t flat)
{
    std::vector<std::uint64_t> index(shape.size());
    for (std::size_t axis = shape.size(); axis-- > 0;) {
        index[axis] = flat % shape[axis];
        flat /= shape[axis];
    }
    return index;
}

}  // namespace calibscope
