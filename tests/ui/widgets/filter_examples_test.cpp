#include "ui/widgets/filter_examples.h"

#include "tests/support/catch.h"
#include "ui/models/tensor_filter.h"

#include <QMenu>

using namespace calibscope;

TEST_CASE("every example of a filter is understood")
{
    for (const FilterExample& example : filterExamples()) {
        CAPTURE(example.query);
        const TensorFilter filter(example.query);
        CHECK(filter.problem().empty());
        CHECK_FALSE(filter.matchesAll());
    }
}

TEST_CASE("the menu of examples says what each finds")
{
    QMenu menu;
    addFilterExamples(menu);
    REQUIRE(menu.actions().size() == static_cast<qsizetype>(filterExamples().size()));
    CHECK(menu.actions().first()->data().toString() == "conv");
    CHECK(menu.actions().first()->text().contains("the name contains"));
}
