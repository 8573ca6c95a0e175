// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/golden_window.h"

#include "tests/support/becomes_quiet.h"
#include "tests/support/catch.h"
#include "tests/support/recorded_painting.h"
#include "ui/queries/dump_requests.h"
#include "ui/theme/theme.h"
#include "ui/widgets/parts_label.h"
#include "ui/window/file_controller.h"

#include <QAbstractItemView>
#include <QApplication>
#include <QFile>
#include <QGraphicsView>
#include <QLabel>
#include <QPainter>
#include <QRegularExpression>
#include <QScreen>
#include <QTest>

#include <utility>

namespace calibscope::test {

namespace {

Theme themeOf(const GoldenVariant& variant)
{
    return variant.isDark ? Theme::Dark : Theme::Light;
}

/// One of those in tests/support/screens.json.
QScreen& screenOf(const GoldenVariant& variant)
{
    for (QScreen* screen : QGuiApplication::screens())
        if (screen->devicePixelRatio() == variant.scale)
            return *screen;
    FAIL("there is no screen of scale " << variant.scale);
    return *QGuiApplication::primaryScreen();
}

void place(QWidget& widget, const GoldenVariant& variant, QSize size)
{
    QApplication::setCursorFlashTime(0);
    QScreen& screen = screenOf(variant);
    widget.setScreen(&screen);
    widget.setGeometry(QRect(screen.geometry().topLeft(), size));
    widget.show();
}

/// Of Qt's own widgets the texts are recorded: how a frame or an arrow is drawn is the style's.
bool isOurPainting(const QWidget& widget)
{
    const QWidget* parent = widget.parentWidget();
    return QByteArrayView(widget.metaObject()->className()).startsWith("calibscope::") ||
           qobject_cast<const QGraphicsView*>(parent) ||
           qobject_cast<const QAbstractItemView*>(parent);
}

/// What the widget and those on it draw, each under a line with its class and where it is.
void record(QWidget& widget, QWidget& window, const QRect& clip, QStringList& lines)
{
    const QPoint corner = widget.mapTo(&window, QPoint());
    const QRect seen = clip.intersected(QRect(corner, widget.size()));
    if (!widget.isVisible() || seen.isEmpty())
        return;
    const auto paint = [&](QPainter& painter) {
        widget.render(&painter, corner, QRegion(), QWidget::RenderFlags());
    };
    QStringList drawn = recordPainting(window.size(), paint, seen).lines;
    if (!isOurPainting(widget))
        drawn = drawn.filter(QRegularExpression(QStringLiteral("^text")));
    if (!drawn.isEmpty()) {
        const QObject& named = qobject_cast<QAbstractScrollArea*>(widget.parentWidget())
                                   ? *widget.parentWidget()
                                   : static_cast<const QObject&>(widget);
        lines.append(QStringLiteral("= %1 %2,%3 %4x%5")
                         .arg(QString::fromLatin1(named.metaObject()->className()))
                         .arg(corner.x())
                         .arg(corner.y())
                         .arg(widget.width())
                         .arg(widget.height()));
        lines += drawn;
    }
    for (QObject* child : widget.children())
        if (auto* inner = qobject_cast<QWidget*>(child); inner && !inner->isWindow())
            record(*inner, window, seen, lines);
}

/// The first window of a program may lay out its docks and headers otherwise than later ones, which
/// are made when fonts and style are those of the theme: no picture is taken of it.
MainWindowOptions afterFirstWindow(const GoldenVariant& variant)
{
    static bool wasShown = false;
    if (!std::exchange(wasShown, true)) {
        GoldenWindow window(variant);
        window.open(sampleDumpPath(), QStringLiteral("sample.h5"));
    }
    return {.keeping = Preferences::Keeping::Forget, .theme = themeOf(variant)};
}

GoldenView viewOf(QWidget& widget, const GoldenVariant& variant)
{
    REQUIRE(becomesQuiet(widget));  // layouts and pictures that the last answer changed
    GoldenView view{.picture = widget.grab().toImage(), .drawn = {}};
    CHECK(view.picture.width() == widget.width() * variant.scale);
    CHECK(view.picture.height() == widget.height() * variant.scale);
    record(widget, widget, widget.rect(), view.drawn);
    return view;
}

}  // namespace

void applyTheme(const GoldenVariant& variant)
{
    calibscope::applyTheme(*qApp, themeOf(variant));
}

GoldenView takeWidget(QWidget& widget, const GoldenVariant& variant, QSize size)
{
    applyTheme(variant);
    place(widget, variant, size);
    return viewOf(widget, variant);
}

GoldenWindow::GoldenWindow(const GoldenVariant& variant, QSize size)
    : m_variant(variant), m_size(size), m_window(afterFirstWindow(variant))
{
    REQUIRE(m_folder.isValid());
    place(m_window, m_variant, m_size);
}

void GoldenWindow::open(const QString& path, const QString& name)
{
    QFile::remove(file(name));
    REQUIRE(QFile::copy(path, file(name)));
    m_window.open(file(name));
    settle();
}

void GoldenWindow::show(const std::string& tensor, Workspace workspace)
{
    const int place = placeOf(document().tensors(), tensor);
    INFO(tensor);
    REQUIRE(place >= 0);
    document().select(place);
    m_window.showWorkspace(workspace);
    settle();
}

void GoldenWindow::settle()
{
    REQUIRE(becomesQuiet(m_window,
                         [this] { return document().isIdle() && m_window.comparison().isIdle(); }));
}

GoldenView GoldenWindow::take()
{
    for (QLabel* label : m_window.findChildren<QLabel*>())
        if (label->text().contains(m_folder.path()))
            label->setText(label->text()
                               .remove(m_folder.path() + u'/')
                               .replace(m_folder.path(), QStringLiteral("a folder")));
    for (ElidedLabel* label : m_window.findChildren<ElidedLabel*>())
        if (label->text().contains(m_folder.path()))
            label->setText(
                QString(label->text()).replace(m_folder.path(), QStringLiteral("a folder")));
    return viewOf(m_window, m_variant);
}

}  // namespace calibscope::test
