// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QBrush>
#include <QPaintDevice>
#include <QPaintEngine>
#include <QRectF>
#include <QSize>
#include <QString>
#include <QStringList>
#include <QTransform>

#include <functional>
#include <memory>
#include <vector>

class QPainter;

namespace calibscope::test {

/// A text as it was drawn: the box reaches from the baseline to the height of capitals.
struct DrawnText
{
    QString text;
    QRectF box;
};

/// A filled rectangle.
struct DrawnRect
{
    QRectF rect;
    QColor color;
};

/// What a painter was told, instead of pixels: to check that texts are there, inside and apart.
struct RecordedPainting
{
    std::vector<DrawnText> texts;
    std::vector<DrawnRect> rects;
    int polylines = 0;
    int points = 0;
    int ellipses = 0;
    /// All of it in the order of painting, each text and each run of shapes of one kind and ink a
    /// line: readable in a diff, and to be compared by drawnDifferences().
    ///
    ///     text at 62,388 size 13 #1a1a1a "0.5"
    ///     lines n6 points n12 pen #d9d9d9 1 box 60,20 640x300 mean 380,170 length 1920
    QStringList lines;
};

/// Of a widget that shows a part only, `seen`: texts beside that part are left out, such as those
/// of a table's last row, of which but the upper edge is in view. Null: all is seen.
[[nodiscard]] RecordedPainting recordPainting(const QSize& size,
                                              const std::function<void(QPainter&)>& paint,
                                              const QRectF& seen = {});

/// The drawn texts that hang out of the picture or overlap another, as sentences.
[[nodiscard]] std::vector<std::string> textFaults(const RecordedPainting& painting,
                                                  const QRectF& picture);

}  // namespace calibscope::test
