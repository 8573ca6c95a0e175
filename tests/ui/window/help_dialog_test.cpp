#include "ui/window/help_dialog.h"

#include "tests/support/catch.h"

#include <QTextBrowser>
#include <QWidget>

using namespace calibscope;

TEST_CASE("the help is tour and sessions without pictures and links that lead nowhere")
{
    const QString text = helpText();
    CHECK(text.startsWith("# "));
    CHECK(text.contains("## The list on the left"));
    CHECK(text.contains("\n# Sessions\n"));
    CHECK_FALSE(text.contains("!["));
    CHECK_FALSE(text.contains("]("));
}

TEST_CASE("the help opens in a window of its own and shows all sections")
{
    QWidget parent;
    showHelp(parent);
    const auto* shown = parent.findChild<QTextBrowser*>("help");
    REQUIRE(shown);
    CHECK(shown->window() != &parent);
    CHECK(shown->isVisible());
    for (const QString& line : helpText().split('\n'))
        if (line.startsWith("## ")) {
            CAPTURE(line.toStdString());
            CHECK(shown->toPlainText().contains(line.mid(3)));
        }
}
