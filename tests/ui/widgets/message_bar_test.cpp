#include "ui/widgets/message_bar.h"

#include "tests/support/catch.h"
#include "ui/theme/theme.h"

#include <QApplication>
#include <QClipboard>
#include <QPushButton>
#include <QTreeView>

using namespace calibscope;

namespace {

QPushButton* button(const MessageList& list, const QString& text)
{
    for (QPushButton* found : list.findChildren<QPushButton*>())
        if (found->text().remove('&') == text)
            return found;
    return nullptr;
}

}  // namespace

TEST_CASE("without a selection all messages are copied, else the selected ones")
{
    MessageLog log;
    const MessageList list(log);
    log.add(MessageLog::Kind::Note, "one");
    log.add(MessageLog::Kind::Note, "two");
    button(list, "Copy")->click();
    CHECK(QApplication::clipboard()->text() == log.text());
    list.findChild<QTreeView*>()->setCurrentIndex(log.index(1, 0));
    button(list, "Copy")->click();
    CHECK(QApplication::clipboard()->text() == log.text({1}));
    button(list, "Clear")->click();
    CHECK(log.rowCount() == 0);
}

TEST_CASE("a bar that is shown takes on the theme that is chosen")
{
    applyTheme(*qApp, Theme::Light);
    QWidget window;
    MessageBar bar(&window);
    window.show();
    const QColor light = bar.palette().color(QPalette::Window);
    applyTheme(*qApp, Theme::Dark);
    QCoreApplication::processEvents();
    CHECK(bar.palette().color(QPalette::Window).lightness() < light.lightness());
    CHECK(bar.palette().color(QPalette::WindowText).lightness() >
          bar.palette().color(QPalette::Window).lightness());
    applyTheme(*qApp, Theme::Light);
    QCoreApplication::processEvents();
    CHECK(bar.palette().color(QPalette::Window) == light);
}
