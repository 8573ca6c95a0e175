// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plot/svg_device.h"

#include <QBuffer>
#include <QImage>
#include <QPaintEngine>
#include <QPainter>
#include <QPainterPath>
#include <QPixmap>

#include <algorithm>
#include <array>
#include <optional>

namespace calibscope {

namespace {

constexpr int dotsPerInch = 96;

/// With two decimals at most.
QByteArray plain(double number)
{
    QByteArray text = QByteArray::number(number, 'f', 2);
    while (text.endsWith('0'))
        text.chop(1);
    if (text.endsWith('.'))
        text.chop(1);
    return text == "-0" ? QByteArray("0") : text;
}

QByteArray attribute(const char* name, const QByteArray& value)
{
    return QByteArray(" ") + name + "=\"" + value + '"';
}

/// Of a path's `d`. Steps along one axis are written as such.
class PathText
{
public:
    void moveTo(const QPointF& point) { write('M', point); }
    void lineTo(const QPointF& point)
    {
        const QByteArray x = plain(point.x());
        const QByteArray y = plain(point.y());
        if (x != m_x && y != m_y)
            return write('L', point);
        m_text += x == m_x ? "V" + y : "H" + x;
        m_x = x;
        m_y = y;
    }
    void curveTo(const QPointF& one, const QPointF& other, const QPointF& end)
    {
        write('C', one);
        write(' ', other);
        write(' ', end);
    }
    void close() { m_text += 'Z'; }
    [[nodiscard]] const QByteArray& text() const { return m_text; }

private:
    void write(char letter, const QPointF& point)
    {
        m_x = plain(point.x());
        m_y = plain(point.y());
        m_text += letter + m_x + ' ' + m_y;
    }

    QByteArray m_text;
    QByteArray m_x;
    QByteArray m_y;
};

QByteArray capWord(Qt::PenCapStyle cap)
{
    return cap == Qt::SquareCap ? "square" : cap == Qt::RoundCap ? "round" : "butt";
}

QByteArray joinWord(Qt::PenJoinStyle join)
{
    return join == Qt::BevelJoin ? "bevel" : join == Qt::RoundJoin ? "round" : "miter";
}

}  // namespace

/// Groups are opened where what is drawn differs from what was drawn before, in this order: series,
/// clip, pen and brush.
class SvgEngine : public QPaintEngine
{
public:
    explicit SvgEngine(ColorNames names)
        : QPaintEngine(PaintEngineFeatures(PrimitiveTransform | PixmapTransform | PainterPaths |
                                           Antialiasing | AlphaBlend | PaintOutsidePaintEvent)),
          m_names(std::move(names))
    {}

    [[nodiscard]] Type type() const override { return SVG; }
    bool begin(QPaintDevice*) override { return true; }
    bool end() override { return true; }
    void updateState(const QPaintEngineState& now) override;

    using QPaintEngine::drawEllipse;
    using QPaintEngine::drawLines;
    using QPaintEngine::drawPolygon;
    using QPaintEngine::drawRects;
    void drawPath(const QPainterPath& path) override;
    void drawPolygon(const QPointF* points, int count, PolygonDrawMode mode) override;
    void drawLines(const QLineF* lines, int count) override;
    void drawRects(const QRectF* rects, int count) override;
    void drawEllipse(const QRectF& rect) override;
    void drawPixmap(const QRectF& box, const QPixmap& pixmap, const QRectF& source) override;
    void drawImage(const QRectF& box, const QImage& image, const QRectF& source,
                   Qt::ImageConversionFlags flags) override;
    void drawTextItem(const QPointF& start, const QTextItem& item) override;

    /// Of groups; empty: none.
    void setSeries(const QByteArray& attributes) { m_series = attributes; }
    [[nodiscard]] QByteArray elements() const
    {
        QByteArray all = m_text;
        closeGroups(all, 0);
        return all;
    }

private:
    static constexpr std::array closings = {"</g>", "</svg>", "</g>"};

    [[nodiscard]] QByteArray colorAttributes(const char* name, const QColor& color) const;
    [[nodiscard]] QByteArray shapeAttributes(bool isFilled) const;
    [[nodiscard]] QByteArray clipAttributes() const;
    void closeGroups(QByteArray& text, std::size_t first) const;
    void write(const QByteArray& attributes, const QByteArray& element);
    void drawPathText(const PathText& path, bool isFilled = true);

    ColorNames m_names;
    QByteArray m_series;
    QPen m_pen;
    QBrush m_brush;
    QTransform m_transform;
    std::optional<QRectF> m_clip;  ///< in pixels
    double m_opacity = 1.0;
    bool m_isSmooth = false;

    QByteArray m_text;
    std::array<QByteArray, 3> m_open;
};

void SvgEngine::updateState(const QPaintEngineState& now)
{
    const DirtyFlags dirty = now.state();
    m_pen = now.pen();
    m_brush = now.brush();
    m_transform = now.transform();
    m_opacity = now.opacity();
    m_isSmooth = now.renderHints().testFlag(QPainter::Antialiasing);
    if (!(dirty & (DirtyClipPath | DirtyClipRegion)))
        return;
    const QRectF asked =
        m_transform.mapRect((dirty & DirtyClipPath) ? now.clipPath().boundingRect()
                                                    : QRectF(now.clipRegion().boundingRect()));
    switch (now.clipOperation()) {
    case Qt::NoClip: m_clip.reset(); break;
    case Qt::ReplaceClip: m_clip = asked; break;
    case Qt::IntersectClip: m_clip = m_clip ? m_clip->intersected(asked) : asked; break;
    }
}

QByteArray SvgEngine::colorAttributes(const char* name, const QColor& color) const
{
    const auto named = std::ranges::find_if(
        m_names, [&color](const auto& pair) { return pair.first.rgb() == color.rgb(); });
    QByteArray text =
        attribute(name, named != m_names.end() ? named->second : color.name().toLatin1());
    if (const double opacity = static_cast<double>(color.alphaF()) * m_opacity; opacity < 1.0)
        text += attribute((QByteArray(name) + "-opacity").constData(), plain(opacity));
    return text;
}

QByteArray SvgEngine::shapeAttributes(bool isFilled) const
{
    QByteArray text;
    if (isFilled && m_brush.style() != Qt::NoBrush)
        text += colorAttributes("fill", m_brush.color());
    if (m_pen.style() != Qt::NoPen) {
        const double width = std::max(m_pen.widthF(), 1.0);
        text += colorAttributes("stroke", m_pen.color());
        text += attribute("stroke-width", plain(width));
        text += attribute("stroke-linecap", capWord(m_pen.capStyle()));
        text += attribute("stroke-linejoin", joinWord(m_pen.joinStyle()));
        QByteArray dashes;
        for (const double dash : m_pen.dashPattern())
            dashes += (dashes.isEmpty() ? "" : " ") + plain(dash * width);
        if (m_pen.style() != Qt::SolidLine)
            text += attribute("stroke-dasharray", dashes);
    }
    if (!m_isSmooth)
        text += attribute("shape-rendering", "crispEdges");
    return text;
}

QByteArray SvgEngine::clipAttributes() const
{
    if (!m_clip)
        return {};
    const QByteArray place = plain(m_clip->x()) + ' ' + plain(m_clip->y());
    const QByteArray size = plain(m_clip->width()) + ' ' + plain(m_clip->height());
    return attribute("x", plain(m_clip->x())) + attribute("y", plain(m_clip->y())) +
           attribute("width", plain(m_clip->width())) +
           attribute("height", plain(m_clip->height())) + attribute("viewBox", place + ' ' + size);
}

void SvgEngine::closeGroups(QByteArray& text, std::size_t first) const
{
    for (std::size_t level = m_open.size(); level-- > first;)
        if (!m_open.at(level).isEmpty())
            text += closings.at(level) + QByteArray("\n");
}

void SvgEngine::write(const QByteArray& attributes, const QByteArray& element)
{
    if (m_clip && m_clip->isEmpty())
        return;
    QByteArray own = attributes;
    if (!m_transform.isIdentity()) {
        const QTransform& t = m_transform;
        QByteArray matrix = "matrix(";
        for (const double number : {t.m11(), t.m12(), t.m21(), t.m22(), t.dx(), t.dy()})
            matrix += plain(number) + ' ';
        matrix.back() = ')';
        own += attribute("transform", matrix);
    }
    const std::array<QByteArray, 3> wanted = {m_series, clipAttributes(), own};
    const auto differs =
        static_cast<std::size_t>(std::ranges::mismatch(m_open, wanted).in1 - m_open.begin());
    closeGroups(m_text, differs);
    m_open = wanted;
    for (std::size_t level = differs; level < wanted.size(); ++level)
        if (!wanted.at(level).isEmpty())
            m_text += (level == 1 ? "<svg" : "<g") + wanted.at(level) + ">\n";
    m_text += element + '\n';
}

void SvgEngine::drawPathText(const PathText& path, bool isFilled)
{
    write(shapeAttributes(isFilled), "<path" + attribute("d", path.text()) + "/>");
}

void SvgEngine::drawPath(const QPainterPath& path)
{
    PathText text;
    for (int index = 0; index < path.elementCount(); ++index) {
        const QPainterPath::Element element = path.elementAt(index);
        if (element.isMoveTo()) {
            text.moveTo(element);
        } else if (element.isLineTo()) {
            text.lineTo(element);
        } else {
            text.curveTo(element, path.elementAt(index + 1), path.elementAt(index + 2));
            index += 2;
        }
    }
    drawPathText(text);
}

void SvgEngine::drawPolygon(const QPointF* points, int count, PolygonDrawMode mode)
{
    if (count < 1)
        return;
    PathText text;
    text.moveTo(points[0]);
    for (int point = 1; point < count; ++point)
        text.lineTo(points[point]);
    if (mode != PolylineMode)
        text.close();
    drawPathText(text, mode != PolylineMode);
}

void SvgEngine::drawLines(const QLineF* lines, int count)
{
    for (int line = 0; line < count; ++line) {
        PathText text;
        text.moveTo(lines[line].p1());
        text.lineTo(lines[line].p2());
        drawPathText(text, false);
    }
}

void SvgEngine::drawRects(const QRectF* rects, int count)
{
    for (int rect = 0; rect < count; ++rect) {
        const std::array corners = {rects[rect].topLeft(), rects[rect].topRight(),
                                    rects[rect].bottomRight(), rects[rect].bottomLeft()};
        drawPolygon(corners.data(), static_cast<int>(corners.size()), WindingMode);
    }
}

void SvgEngine::drawEllipse(const QRectF& rect)
{
    write(shapeAttributes(true), "<ellipse" + attribute("cx", plain(rect.center().x())) +
                                     attribute("cy", plain(rect.center().y())) +
                                     attribute("rx", plain(rect.width() / 2.0)) +
                                     attribute("ry", plain(rect.height() / 2.0)) + "/>");
}

void SvgEngine::drawPixmap(const QRectF& box, const QPixmap& pixmap, const QRectF& source)
{
    drawImage(box, pixmap.toImage(), source, Qt::AutoColor);
}

void SvgEngine::drawImage(const QRectF& box, const QImage& image, const QRectF& source,
                          Qt::ImageConversionFlags)
{
    QBuffer png;
    image.copy(source.toAlignedRect()).save(&png, "PNG");
    write(m_opacity < 1.0 ? attribute("opacity", plain(m_opacity)) : QByteArray(),
          "<image" + attribute("x", plain(box.x())) + attribute("y", plain(box.y())) +
              attribute("width", plain(box.width())) + attribute("height", plain(box.height())) +
              attribute("preserveAspectRatio", "none") +
              attribute("href", "data:image/png;base64," + png.data().toBase64()) + "/>");
}

void SvgEngine::drawTextItem(const QPointF& start, const QTextItem& item)
{
    const QFont font = item.font();
    constexpr double pointsPerInch = 72.0;
    const double size =
        font.pixelSize() > 0 ? font.pixelSize() : font.pointSizeF() * dotsPerInch / pointsPerInch;
    QByteArray attributes = colorAttributes("fill", m_pen.color());
    attributes += attribute("font-size", plain(size));
    if (font.bold())
        attributes += attribute("font-weight", "700");
    QByteArray text = "<text" + attribute("x", plain(start.x())) + attribute("y", plain(start.y()));
    // Another font may be wider.
    if (item.text().size() > 1)
        text += attribute("textLength", plain(item.width())) +
                attribute("lengthAdjust", "spacingAndGlyphs");
    write(attributes,
          text + attribute("xml:space", "preserve") + '>' + xmlText(item.text()) + "</text>");
}

SvgDevice::SvgDevice(const QSize& size, ColorNames names)
    : m_size(size), m_engine(std::make_unique<SvgEngine>(std::move(names)))
{}

SvgDevice::~SvgDevice() = default;

QByteArray SvgDevice::elements() const
{
    return m_engine->elements();
}

QPaintEngine* SvgDevice::paintEngine() const
{
    return m_engine.get();
}

int SvgDevice::metric(PaintDeviceMetric metric) const
{
    constexpr double millimetresPerInch = 25.4;
    constexpr int depth = 24;
    const auto millimetres = [](int pixels) {
        return static_cast<int>(pixels * millimetresPerInch / dotsPerInch);
    };
    switch (metric) {
    case PdmWidth: return m_size.width();
    case PdmHeight: return m_size.height();
    case PdmWidthMM: return millimetres(m_size.width());
    case PdmHeightMM: return millimetres(m_size.height());
    case PdmDpiX:
    case PdmDpiY:
    case PdmPhysicalDpiX:
    case PdmPhysicalDpiY: return dotsPerInch;
    case PdmNumColors: return 1 << depth;
    case PdmDepth: return depth;
    case PdmDevicePixelRatio: return 1;
    case PdmDevicePixelRatioScaled: return static_cast<int>(devicePixelRatioFScale());
    default: return QPaintDevice::metric(metric);  // newer ones than Qt 6.4's
    }
}

SeriesScope::SeriesScope(const QPainter& painter, const QString& text, Part part)
{
    if (const auto* svg = dynamic_cast<const SvgDevice*>(painter.device())) {
        m_engine = svg->m_engine.get();
        m_engine->setSeries(
            attribute(part == Part::Key ? "data-key" : "data-series", xmlText(text)));
    }
}

SeriesScope::~SeriesScope()
{
    if (m_engine != nullptr)
        m_engine->setSeries({});
}

QByteArray xmlText(const QString& text)
{
    QString kept;
    for (qsizetype at = 0; at < text.size(); ++at) {
        const QChar c = text[at];
        const bool isPair =
            c.isHighSurrogate() && at + 1 < text.size() && text[at + 1].isLowSurrogate();
        if (isPair)
            kept += text.mid(at++, 2);
        else if ((c >= u' ' || c == u'\t' || c == u'\n' || c == u'\r') && !c.isSurrogate() &&
                 c != QChar(0xfffe) && c != QChar(0xffff))
            kept += c;
    }
    return kept.toHtmlEscaped().toUtf8();
}

}  // namespace calibscope
