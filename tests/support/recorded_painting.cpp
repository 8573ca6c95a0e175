// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/recorded_painting.h"

#include <QFontInfo>
#include <QFontMetricsF>
#include <QPainter>
#include <QPainterPath>
#include <QPixmap>

#include <algorithm>

namespace calibscope::test {

namespace {

QString colorText(const QColor& color)
{
    return color.name(color.alpha() < 255 ? QColor::HexArgb : QColor::HexRgb);
}

QString pointText(const QPointF& point)
{
    return QStringLiteral("%1,%2").arg(qRound(point.x())).arg(qRound(point.y()));
}

QString boxText(const QRectF& box)
{
    return QStringLiteral("box %1 %2x%3")
        .arg(pointText(box.topLeft()))
        .arg(qRound(box.width()))
        .arg(qRound(box.height()));
}

QString penText(const QPen& pen)
{
    if (pen.style() == Qt::NoPen)
        return QStringLiteral(" no pen");
    return QStringLiteral(" pen %1 %2%3")
        .arg(colorText(pen.color()))
        .arg(pen.widthF())
        .arg(pen.style() == Qt::SolidLine ? QString() : QStringLiteral(" dashed"));
}

QString brushText(const QBrush& brush)
{
    if (brush.style() == Qt::NoBrush)
        return {};
    return brush.gradient() ? QStringLiteral(" fill gradient")
                            : QStringLiteral(" fill ") + colorText(brush.color());
}

/// Shapes of one kind and ink that follow each other.
struct ShapeRun
{
    QString kind;
    QString ink;
    int shapes = 0;
    int points = 0;
    QRectF box;
    QPointF sum;
    double length = 0.0;

    void add(const QPolygonF& shape)
    {
        const QRectF bounds = shape.boundingRect();
        // united() leaves out boxes without width or height
        box = shapes == 0 ? bounds
                          : QRectF(QPointF(std::min(box.left(), bounds.left()),
                                           std::min(box.top(), bounds.top())),
                                   QPointF(std::max(box.right(), bounds.right()),
                                           std::max(box.bottom(), bounds.bottom())));
        ++shapes;
        points += static_cast<int>(shape.size());
        for (qsizetype point = 0; point < shape.size(); ++point) {
            sum += shape[point];
            if (point > 0)
                length += QLineF(shape[point - 1], shape[point]).length();
        }
    }
    [[nodiscard]] QString text() const
    {
        return QStringLiteral("%1 n%2 points n%3%4 %5 mean %6 length %7")
            .arg(kind)
            .arg(shapes)
            .arg(points)
            .arg(ink, boxText(box), pointText(sum / std::max(points, 1)))
            .arg(qRound(length));
    }
};

class RecordingEngine : public QPaintEngine
{
public:
    RecordingEngine(RecordedPainting& painting, const QRectF& seen)
        : QPaintEngine(AllFeatures), m_painting(painting), m_seen(seen)
    {}

    bool begin(QPaintDevice*) override { return true; }
    bool end() override
    {
        endRun();
        return true;
    }
    [[nodiscard]] Type type() const override { return User; }

    void updateState(const QPaintEngineState& news) override
    {
        if (news.state() & DirtyTransform)
            m_transform = news.transform();
        if (news.state() & DirtyBrush)
            m_brush = news.brush();
        if (news.state() & DirtyPen)
            m_pen = news.pen();
    }

    void drawRects(const QRectF* rects, int count) override
    {
        for (int rect = 0; rect < count; ++rect) {
            const QRectF mapped = m_transform.mapRect(rects[rect]);
            m_painting.rects.push_back({mapped, m_brush.color()});
            add(QStringLiteral("rects"), outlineAndFill(), QPolygonF(mapped));
        }
    }

    void drawRects(const QRect* rects, int count) override
    {
        for (int rect = 0; rect < count; ++rect) {
            const QRectF exact(rects[rect]);
            drawRects(&exact, 1);
        }
    }

    void drawTextItem(const QPointF& position, const QTextItem& item) override
    {
        const double height = QFontMetricsF(item.font()).capHeight();
        const QRectF box =
            m_transform.mapRect(QRectF(position.x(), position.y() - height, item.width(), height));
        if (!m_seen.isNull() && !m_seen.intersects(box))
            return;
        m_painting.texts.push_back({item.text(), box});
        endRun();
        const QFontInfo font(item.font());
        m_painting.lines.append(QStringLiteral("text at %1 size %2%3 %4 \"%5\"")
                                    .arg(pointText(m_transform.map(position)))
                                    .arg(font.pixelSize())
                                    .arg(font.bold() ? QStringLiteral(" bold") : QString(),
                                         colorText(m_pen.color()), item.text().simplified()));
    }

    void drawPolygon(const QPointF* points, int count, PolygonDrawMode mode) override
    {
        m_painting.polylines += mode == PolylineMode ? 1 : 0;
        const QPolygonF shape = m_transform.map(QPolygonF(QList<QPointF>(points, points + count)));
        if (mode == PolylineMode)
            add(QStringLiteral("polylines"), penText(m_pen), shape);
        else
            add(QStringLiteral("polygons"), outlineAndFill(), shape);
    }

    void drawPath(const QPainterPath& path) override
    {
        QPolygonF shape;
        for (int element = 0; element < path.elementCount(); ++element)
            shape.append(m_transform.map(QPointF(path.elementAt(element))));
        add(QStringLiteral("paths"), outlineAndFill(), shape);
    }

    void drawLines(const QLineF* lines, int count) override
    {
        for (int line = 0; line < count; ++line)
            add(QStringLiteral("lines"), penText(m_pen),
                m_transform.map(QPolygonF({lines[line].p1(), lines[line].p2()})));
    }

    void drawLines(const QLine* lines, int count) override
    {
        for (int line = 0; line < count; ++line) {
            const QLineF exact(lines[line]);
            drawLines(&exact, 1);
        }
    }

    void drawPoints(const QPointF* points, int count) override
    {
        m_painting.points += count;
        add(QStringLiteral("points"), penText(m_pen),
            m_transform.map(QPolygonF(QList<QPointF>(points, points + count))));
    }

    void drawEllipse(const QRectF& box) override
    {
        ++m_painting.ellipses;
        add(QStringLiteral("ellipses"), outlineAndFill(), QPolygonF(m_transform.mapRect(box)));
    }

    void drawPixmap(const QRectF& box, const QPixmap& pixmap, const QRectF& source) override
    {
        const QRgb mean = pixmap.copy(source.toAlignedRect())
                              .toImage()
                              .scaled(1, 1, Qt::IgnoreAspectRatio, Qt::SmoothTransformation)
                              .pixel(0, 0);
        endRun();
        m_painting.lines.append(QStringLiteral("image %1 colour %2,%3,%4")
                                    .arg(boxText(m_transform.mapRect(box)))
                                    .arg(qRed(mean))
                                    .arg(qGreen(mean))
                                    .arg(qBlue(mean)));
    }

private:
    [[nodiscard]] QString outlineAndFill() const { return penText(m_pen) + brushText(m_brush); }

    void add(const QString& kind, const QString& ink, const QPolygonF& shape)
    {
        if (kind != m_run.kind || ink != m_run.ink)
            endRun();
        m_run.kind = kind;
        m_run.ink = ink;
        m_run.add(shape);
    }

    void endRun()
    {
        if (m_run.shapes > 0)
            m_painting.lines.append(m_run.text());
        m_run = {};
    }

    RecordedPainting& m_painting;
    QRectF m_seen;
    ShapeRun m_run;
    QTransform m_transform;
    QBrush m_brush;
    QPen m_pen;
};

class RecordingDevice : public QPaintDevice
{
public:
    RecordingDevice(const QSize& size, RecordedPainting& painting, const QRectF& seen)
        : m_size(size), m_engine(painting, seen)
    {}

    [[nodiscard]] QPaintEngine* paintEngine() const override { return &m_engine; }

protected:
    [[nodiscard]] int metric(PaintDeviceMetric metric) const override
    {
        switch (metric) {
        case PdmWidth: return m_size.width();
        case PdmHeight: return m_size.height();
        case PdmDpiX:
        case PdmDpiY:
        case PdmPhysicalDpiX:
        case PdmPhysicalDpiY: return 96;
        case PdmDevicePixelRatio: return 1;
        case PdmDevicePixelRatioScaled: return static_cast<int>(devicePixelRatioFScale());
        case PdmDepth: return 32;
        case PdmWidthMM:
        case PdmHeightMM:
        case PdmNumColors: return 0;
        default: return QPaintDevice::metric(metric);  // newer ones than Qt 6.4's
        }
    }

private:
    QSize m_size;
    mutable RecordingEngine m_engine;
};

}  // namespace

RecordedPainting recordPainting(const QSize& size, const std::function<void(QPainter&)>& paint,
                                const QRectF& seen)
{
    RecordedPainting painting;
    RecordingDevice device(size, painting, seen);
    QPainter painter(&device);
    paint(painter);
    painter.end();
    return painting;
}

std::vector<std::string> textFaults(const RecordedPainting& painting, const QRectF& picture)
{
    std::vector<std::string> faults;
    const auto& texts = painting.texts;
    for (std::size_t text = 0; text < texts.size(); ++text) {
        if (!picture.contains(texts[text].box))
            faults.push_back(texts[text].text.toStdString() + " hangs out");
        for (std::size_t other = 0; other < text; ++other)
            if (texts[text].box.intersects(texts[other].box))
                faults.push_back(texts[text].text.toStdString() + " overlaps " +
                                 texts[other].text.toStdString());
    }
    return faults;
}

}  // namespace calibscope::test
