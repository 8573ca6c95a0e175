// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/equalization_model.h"

#include "tests/support/catch.h"

namespace models_equalization_model_test {

using namespace calibscope;
using namespace calibscope::test;

TEST_CASE("a pair of layers has its gain, or the reason why there is none")
{
    TableModel<Equalization> model(equalizationTable());
    model.setRows({{.first = "y1",
                    .second = "y2",
                    .activation = "y1",
                    .through = {},
                    .firstBeforeDb = 30.0,
                    .firstAfterDb = 31.0,
                    .secondBeforeDb = 20.0,
                    .secondAfterDb = 24.5,
                    .leastScale = 0.25,
                    .largestScale = 8.0,
                    .dominant = {{.channel = 7, .absMax = 80.0, .ratio = 12.5}}},
                   {.first = "y2",
                    .second = "y3",
                    .activation = "y2",
                    .through = {},
                    .whyNot = "is used elsewhere"}});
    REQUIRE(model.rowCount() == 2);
    const auto text = [&](int row, int column) {
        return model.index(row, column).data().toString();
    };
    CHECK(text(0, EqualizationColumn::Gain) == "+4.5");
    CHECK(text(0, EqualizationColumn::SecondDb) == "20.0 → 24.5");
    CHECK(text(0, EqualizationColumn::Scales) == "0.25 … 8");
    CHECK(text(0, EqualizationColumn::Dominant) == "7 (×12.5)");
    CHECK(text(1, EqualizationColumn::Gain) == "–");
    CHECK(text(1, EqualizationColumn::Notes) == "is used elsewhere");
    CHECK(model.index(0, EqualizationColumn::Gain).data(tableSortRole).toDouble() == 4.5);
    CHECK_FALSE(model.index(1, EqualizationColumn::Gain).data(tableSortRole).isValid());
}

}  // namespace models_equalization_model_test
