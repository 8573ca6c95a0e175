// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/help_browser.h"

#include "ui/window/help_window.h"

#include <QFile>
#include <QImage>
#include <QPainter>
#include <QScrollBar>
#include <QTextBlock>
#include <QTimer>

namespace calibscope {

namespace {

constexpr int pictureMargin = 32;
constexpr int narrowestPicture = 200;
constexpr int darkest = 128;  // lightness of a dark theme's ground is below
constexpr int dimmed = 90;    // of 255, over a light picture there

QString fileOf(const QUrl& url)
{
    return u':' + url.path();
}

}  // namespace

HelpBrowser::HelpBrowser(QWidget* parent) : QTextBrowser(parent)
{
    // One that comes and goes with the text would change the width that pictures are fitted to: a
    // page set anew for each of the two widths by turns.
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOn);
    setOpenExternalLinks(true);
}

QVariant HelpBrowser::loadResource(int type, const QUrl& name)
{
    if (type != QTextDocument::ImageResource)
        return QTextBrowser::loadResource(type, name);
    const QString file = fileOf(source().resolved(name));
    const bool isDark = palette().color(QPalette::Base).lightness() < darkest;
    const QString dark = QString(file).replace(QStringLiteral(".png"), QStringLiteral("-dark.png"));
    const bool hasDark = isDark && QFile::exists(dark);
    QImage picture(hasDark ? dark : file);
    if (isDark && !hasDark && !picture.isNull()) {  // else the brightest thing on the screen
        picture.convertTo(QImage::Format_ARGB32_Premultiplied);
        QPainter painter(&picture);
        painter.fillRect(picture.rect(), QColor(0, 0, 0, dimmed));
    }
    m_pictureWidth = std::max(viewport()->width() - pictureMargin, narrowestPicture);
    const double ratio = devicePixelRatioF();
    if (picture.width() <= m_pictureWidth * ratio)
        return picture;
    QImage fitting =
        picture.scaledToWidth(static_cast<int>(m_pictureWidth * ratio), Qt::SmoothTransformation);
    fitting.setDevicePixelRatio(ratio);
    return fitting;
}

void HelpBrowser::doSetSource(const QUrl& url, QTextDocument::ResourceType type)
{
    if (!QFile::exists(fileOf(url)))
        return;
    QTextBrowser::doSetSource(url, type);
    if (url.hasFragment())
        showHeading(url.fragment());
}

void HelpBrowser::showHeading(const QString& anchor)
{
    for (QTextBlock block = document()->begin(); block.isValid(); block = block.next())
        if (block.blockFormat().headingLevel() > 0 && helpAnchor(block.text()) == anchor) {
            setTextCursor(QTextCursor(block));
            const int top = cursorRect().top() - pictureMargin / 4;
            return verticalScrollBar()->setValue(verticalScrollBar()->value() + top);
        }
}

/// Later: a scroll bar that appears while a page is being set resizes the browser, too, and a page
/// that was set anew within that would be destroyed below it.
void HelpBrowser::resizeEvent(QResizeEvent* event)
{
    QTextBrowser::resizeEvent(event);
    QTimer::singleShot(0, this, [this] { fitPictures(); });
}

/// Pictures follow the width.
void HelpBrowser::fitPictures()
{
    if (m_pictureWidth == 0 ||
        m_pictureWidth == std::max(viewport()->width() - pictureMargin, narrowestPicture))
        return;
    const double share = verticalScrollBar()->value() /
                         static_cast<double>(std::max(verticalScrollBar()->maximum(), 1));
    reload();
    verticalScrollBar()->setValue(static_cast<int>(share * verticalScrollBar()->maximum()));
}

}  // namespace calibscope
