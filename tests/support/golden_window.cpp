#include "tests/support/golden_window.h"

#include "tests/support/catch.h"
#include "ui/queries/dump_requests.h"
#include "ui/theme/theme.h"
#include "ui/widgets/elided_label.h"

#include <QApplication>
#include <QFile>
#include <QLabel>
#include <QScreen>
#include <QTest>

namespace calibscope::test {

namespace {

constexpr int patienceMs = 60000;

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

QImage pictureOf(QWidget& widget, const GoldenVariant& variant)
{
    QTest::qWait(50);  // layouts and pictures that the last answer changed
    QImage picture = widget.grab().toImage();
    CHECK(picture.size() == widget.size() * variant.scale);
    return picture;
}

}  // namespace

void applyTheme(const GoldenVariant& variant)
{
    calibscope::applyTheme(*qApp, themeOf(variant));
}

QImage takeWidget(QWidget& widget, const GoldenVariant& variant, QSize size)
{
    applyTheme(variant);
    place(widget, variant, size);
    return pictureOf(widget, variant);
}

GoldenWindow::GoldenWindow(const GoldenVariant& variant, QSize size)
    : m_variant(variant),
      m_size(size),
      m_window({.keeping = Preferences::Keeping::Forget, .theme = themeOf(variant)})
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
    const int place = placeOf(session().tensors(), tensor);
    INFO(tensor);
    REQUIRE(place >= 0);
    session().select(place);
    m_window.showWorkspace(workspace);
    settle();
}

void GoldenWindow::settle()
{
    const auto isIdle = [this] { return session().isIdle() && m_window.comparison().isIdle(); };
    REQUIRE(QTest::qWaitFor(isIdle, patienceMs));
    QTest::qWait(20);  // what the last answer asks for in turn
    REQUIRE(QTest::qWaitFor(isIdle, patienceMs));
}

QImage GoldenWindow::take()
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
    return pictureOf(m_window, m_variant);
}

}  // namespace calibscope::test
