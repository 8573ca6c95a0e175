#include "tests/support/recorded_painting.h"

#include <QFontMetricsF>
#include <QPainter>

namespace calibscope::test {

namespace {

class RecordingEngine : public QPaintEngine
{
public:
    explicit RecordingEngine(RecordedPainting& painting)
        : QPaintEngine(AllFeatures), m_painting(painting)
    {}

    bool begin(QPaintDevice*) override { return true; }
    bool end() override { return true; }
    [[nodiscard]] Type type() const override { return User; }

    void updateState(const QPaintEngineState& news) override
    {
        if (news.state() & DirtyTransform)
            m_transform = news.transform();
        if (news.state() & DirtyBrush)
            m_color = news.brush().color();
    }

    void drawRects(const QRectF* rects, int count) override
    {
        for (int rect = 0; rect < count; ++rect)
            m_painting.rects.push_back({m_transform.mapRect(rects[rect]), m_color});
    }

    void drawRects(const QRect* rects, int count) override
    {
        for (int rect = 0; rect < count; ++rect)
            m_painting.rects.push_back({m_transform.mapRect(QRectF(rects[rect])), m_color});
    }

    void drawTextItem(const QPointF& position, const QTextItem& item) override
    {
        const double height = QFontMetricsF(item.font()).capHeight();
        const QRectF box(position.x(), position.y() - height, item.width(), height);
        m_painting.texts.push_back({item.text(), m_transform.mapRect(box)});
    }

    void drawPolygon(const QPointF*, int, PolygonDrawMode mode) override
    {
        m_painting.polylines += mode == PolylineMode ? 1 : 0;
    }

    void drawLines(const QLineF*, int) override {}
    void drawLines(const QLine*, int) override {}
    void drawPoints(const QPointF*, int count) override { m_painting.points += count; }
    void drawEllipse(const QRectF&) override { ++m_painting.ellipses; }
    void drawPixmap(const QRectF&, const QPixmap&, const QRectF&) override {}

private:
    RecordedPainting& m_painting;
    QTransform m_transform;
    QColor m_color;
};

class RecordingDevice : public QPaintDevice
{
public:
    RecordingDevice(const QSize& size, RecordedPainting& painting)
        : m_size(size), m_engine(painting)
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
        default: return 0;
        }
    }

private:
    QSize m_size;
    mutable RecordingEngine m_engine;
};

}  // namespace

RecordedPainting recordPainting(const QSize& size, const std::function<void(QPainter&)>& paint)
{
    RecordedPainting painting;
    RecordingDevice device(size, painting);
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
