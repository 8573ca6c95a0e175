#include "ui/widgets/go_to_dialog.h"

#include "tests/support/catch.h"

#include <QLineEdit>
#include <QListView>
#include <QPointer>
#include <QTest>

using namespace calibscope;

namespace {

struct Shown
{
    Shown()
    {
        std::vector<Destination> destinations;
        for (const char* name : {"fit", "filter", "full screen"})
            destinations.push_back({.text = name, .kind = {}, .detail = {}, .go = [this, name] {
                                        gone += QString(name);
                                    }});
        dialog = new GoToDialog({.title = "Somewhere", .placeholder = "Letters"},
                                std::move(destinations), &window);
        window.show();
        dialog->show();
        query = dialog->findChild<QLineEdit*>();
    }

    QWidget window;
    QPointer<GoToDialog> dialog;
    QLineEdit* query;
    QStringList gone;
};

}  // namespace

TEST_CASE("typing and Enter go to the best, and the dialog is gone")
{
    Shown shown;
    QTest::keyClicks(shown.query, "filt");
    QTest::keyClick(shown.query, Qt::Key_Return);
    CHECK(shown.gone == QStringList{"filter"});
    CHECK((!shown.dialog || !shown.dialog->isVisible()));
}

TEST_CASE("the arrow keys choose while typing goes on")
{
    Shown shown;
    QTest::keyClick(shown.query, Qt::Key_Down);
    QTest::keyClick(shown.query, Qt::Key_Down);
    CHECK(shown.dialog->findChild<QListView*>()->currentIndex().row() == 2);
    QTest::keyClick(shown.query, Qt::Key_Enter);
    CHECK(shown.gone == QStringList{"full screen"});
}

TEST_CASE("Enter goes nowhere when nothing was found, and Esc leaves")
{
    Shown shown;
    QTest::keyClicks(shown.query, "xyz");
    QTest::keyClick(shown.query, Qt::Key_Return);
    CHECK(shown.gone.isEmpty());
    CHECK(shown.dialog->isVisible());
    QTest::keyClick(shown.dialog, Qt::Key_Escape);
    CHECK((!shown.dialog || !shown.dialog->isVisible()));
}
