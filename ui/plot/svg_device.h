// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QColor>
#include <QPaintDevice>
#include <QSize>
#include <QString>

#include <memory>
#include <utility>
#include <vector>

class QPainter;

namespace calibscope {

class SvgEngine;

/// Written in place of a colour.
using ColorNames = std::vector<std::pair<QColor, QByteArray>>;

/// What a painter draws, as elements of SVG: QSvgGenerator knows neither clips nor groups. Texts
/// are as wide as the painter's, in whatever font they are shown.
class SvgDevice : public QPaintDevice
{
public:
    /// In pixels, 96 of them an inch.
    explicit SvgDevice(const QSize& size, ColorNames names = {});
    ~SvgDevice() override;

    /// What was drawn, without a root: a root's `fill="none" fill-rule="evenodd"` is presumed.
    /// Requires that no painter draws.
    [[nodiscard]] QByteArray elements() const;
    [[nodiscard]] QPaintEngine* paintEngine() const override;

protected:
    [[nodiscard]] int metric(PaintDeviceMetric metric) const override;

private:
    friend class SeriesScope;

    QSize m_size;
    std::unique_ptr<SvgEngine> m_engine;
};

/// While it lives, all that is drawn belongs to the entry of the legend with that text, or is the
/// entry itself: in SVG it is in groups with the text as their `data-series` or `data-key`.
/// Elsewhere it does nothing.
class SeriesScope
{
public:
    enum class Part { Series, Key };

    SeriesScope(const QPainter& painter, const QString& text, Part part = Part::Series);
    SeriesScope(const SeriesScope&) = delete;
    SeriesScope& operator=(const SeriesScope&) = delete;
    ~SeriesScope();

private:
    SvgEngine* m_engine = nullptr;
};

/// Text of an element or an attribute: escaped, and without the characters that XML 1.0 has no
/// place for, not even escaped (2.2 Characters): control characters, U+FFFE and U+FFFF, halves of a
/// surrogate pair.
[[nodiscard]] QByteArray xmlText(const QString& text);

}  // namespace calibscope
