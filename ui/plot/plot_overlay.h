// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/plot/plot_frame.h"
#include "ui/plot/plot_handle.h"

#include <functional>
#include <span>

class QPainter;

namespace calibscope {

/// Something drawn over a plot's picture, and where: only there is painted when it changes.
struct OverlayPiece
{
    QRectF bounds;  ///< empty: nothing is drawn
    std::function<void(QPainter&)> paint;
};

/// What a plot shows over its content for as long as something is looked at: not in pictures.
using GhostPaint = std::function<void(QPainter&, const PlotFrame&)>;

/// A vertical line at a pixel of x, with a text on the axis under it (blank: none).
[[nodiscard]] OverlayPiece crosshairPiece(const PlotFrame& frame, double x, const QString& text);

/// The box that a drag spans.
[[nodiscard]] OverlayPiece boxPiece(const PlotFrame& frame, const QRectF& box);

/// A few lines beside a point, inside the frame.
[[nodiscard]] OverlayPiece cardPiece(const PlotFrame& frame, const QPointF& point,
                                     const QString& text);

/// A grip on each handle in view; the chosen one has a ring, its line and its value.
[[nodiscard]] OverlayPiece handlesPiece(const PlotFrame& frame, std::span<const PlotHandle> handles,
                                        const PlotHandle* chosen, const QColor& ring);

/// A ring around the whole plot.
[[nodiscard]] OverlayPiece focusPiece(const QSizeF& size, const QColor& color);

}  // namespace calibscope
