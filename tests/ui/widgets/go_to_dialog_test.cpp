// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/go_to_dialog.h"

#include "tests/support/catch.h"

#include <QAbstractItemModelTester>
#include <QLineEdit>
#include <QListView>
#include <QPointer>
#include <QTest>

namespace go_to_dialog_test {

using namespace calibscope;

std::optional<int> score(const char* query, const char* text)
{
    return fuzzyScore(QString(query), QString(text));
}

Destination named(const QString& text, const QString& kind = {}, bool isFirst = false)
{
    return {.text = text, .kind = kind, .detail = {}, .isFirst = isFirst, .go = [] {}};
}

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

TEST_CASE("letters in order with gaps are found, in another order not")
{
    CHECK(score("l3c2", "layer3/conv2"));
    CHECK_FALSE(score("2cl", "layer3/conv2"));
    CHECK_FALSE(score("layerx", "layer3/conv2"));
}

TEST_CASE("words may stand in any order")
{
    CHECK(score("conv2 layer3", "layer3/conv2"));
    CHECK_FALSE(score("conv2 layer4", "layer3/conv2"));
}

TEST_CASE("an empty query takes every text, the short ones first")
{
    REQUIRE(score("", "a"));
    CHECK(*score("", "a") > *score("", "long name"));
}

TEST_CASE("a whole part is better than letters with gaps")
{
    CHECK(*score("conv", "layer9/conv1") > *score("conv", "columns/none/vector"));
}

TEST_CASE("the start of a word is better than its middle")
{
    CHECK(*score("log", "view log count") > *score("log", "catalogue view"));
    CHECK(*score("fc", "block/fc") > *score("fc", "selfcheck"));
}

TEST_CASE("of two texts with the part the shorter one is better")
{
    CHECK(*score("conv1", "conv1") > *score("conv1", "conv1.weight"));
}

TEST_CASE("without a query destinations stand in their order")
{
    GoToModel model;
    const QAbstractItemModelTester tester(&model,
                                          QAbstractItemModelTester::FailureReportingMode::Fatal);
    model.setDestinations({named("zoom in"), named("a")});
    CHECK(model.rowCount() == 2);
    CHECK(model.index(0).data().toString() == "zoom in");
}

TEST_CASE("a query leaves what answers it, the best first")
{
    GoToModel model;
    const QAbstractItemModelTester tester(&model,
                                          QAbstractItemModelTester::FailureReportingMode::Fatal);
    model.setDestinations({named("columns/none/vector"), named("layer1/conv1"), named("fc")});
    model.setQuery("Conv");
    REQUIRE(model.rowCount() == 2);
    CHECK(model.index(0).data().toString() == "layer1/conv1");
    model.setQuery("xyz");
    CHECK(model.rowCount() == 0);
}

TEST_CASE("what a destination is can be searched too")
{
    GoToModel model;
    model.setDestinations({named("conv1", "weight"), named("conv1", "activation")});
    model.setQuery("conv1 weight");
    CHECK(model.rowCount() == 1);
}

TEST_CASE("of equal answers those that come first do")
{
    GoToModel model;
    model.setDestinations({named("fit"), named("fit", {}, true)});
    bool wentFirst = false;
    std::vector<Destination> destinations = {named("fit"), named("fit", {}, true)};
    destinations[1].go = [&] { wentFirst = true; };
    model.setDestinations(std::move(destinations));
    model.setQuery("fit");
    model.go(0);
    CHECK(wentFirst);
    model.go(7);  // nothing there
}

TEST_CASE("no more rows are made than somebody would read, but all matches are counted")
{
    GoToModel model;
    std::vector<Destination> many;
    for (int number = 0; number < 1000; ++number)
        many.push_back(named("layer" + QString::number(number)));
    model.setDestinations(std::move(many));
    model.setQuery("layer");
    CHECK(model.rowCount() == GoToModel::most);
    CHECK(model.matchCount() == 1000);
}

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

}  // namespace go_to_dialog_test
