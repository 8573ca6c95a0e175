#include "ui/plot/plot_clipboard.h"

#include "ui/plot/picture.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QMimeData>

namespace calibscope {

std::unique_ptr<QMimeData> pictureMime(const PlotContent& content, const PictureSettings& settings)
{
    constexpr double clipboardScale = 2.0;  // sharp in a document
    PictureSettings large = settings;
    large.scale = clipboardScale;
    auto mime = std::make_unique<QMimeData>();
    mime->setImageData(renderContent(content, large));
    mime->setData(QStringLiteral("image/svg+xml"), renderSvg(content, settings));
    return mime;
}

std::unique_ptr<QMimeData> tableMime(const PlotTable& table)
{
    const QString text = tableText(table);
    auto mime = std::make_unique<QMimeData>();
    mime->setText(text);
    mime->setData(QStringLiteral("text/tab-separated-values"), text.toUtf8());
    return mime;
}

void copyPlotPicture(const PlotContent& content, const PictureSettings& settings)
{
    QGuiApplication::clipboard()->setMimeData(pictureMime(content, settings).release());
}

void copyPlotTable(const PlotTable& table)
{
    QGuiApplication::clipboard()->setMimeData(tableMime(table).release());
}

}  // namespace calibscope
