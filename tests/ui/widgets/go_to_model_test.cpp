#include "ui/widgets/go_to_model.h"

#include "tests/support/catch.h"

#include <QAbstractItemModelTester>

using namespace calibscope;

namespace {

Destination named(const QString& text, const QString& kind = {}, bool isFirst = false)
{
    return {.text = text, .kind = kind, .detail = {}, .isFirst = isFirst, .go = [] {}};
}

}  // namespace

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
