// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/filter_examples.h"

#include "tests/support/catch.h"
#include "ui/models/tensor_filter.h"
#include "ui/models/tensor_flags.h"
#include "ui/theme/chart_colors.h"

#include <QMenu>

namespace filter_examples_test {

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

TEST_CASE("the legend has each flag with its pictogram, and leads to the tensors that have it")
{
    QMenu menu;
    addFlagLegend(menu, lightChartColors());
    REQUIRE(menu.actions().size() == static_cast<qsizetype>(flagKinds().size()));
    for (const QAction* action : menu.actions()) {
        CAPTURE(action->text().toStdString());
        CHECK_FALSE(action->icon().isNull());
        const TensorFilter filter(action->data().toString().toStdString());
        CHECK(filter.problem().empty());
        CHECK(filter.needsFlags());
    }
    CHECK(TensorFilter("flag:odd").problem().find("unreadable, nan, constant") !=
          std::string::npos);
}

}  // namespace filter_examples_test
