#include "ui/models/equalization_model.h"

#include "tests/support/catch.h"

#include <QAbstractItemModelTester>

namespace equalization_model_test {

using namespace calibscope;
using namespace calibscope::test;

TEST_CASE("a pair of layers has its gain, or the reason why there is none")
{
    EqualizationModel model;
    const QAbstractItemModelTester tester(&model,
                                          QAbstractItemModelTester::FailureReportingMode::Fatal);
    model.setPairs({{.first = "y1",
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
    CHECK(text(0, EqualizationModel::Gain) == "+4.5");
    CHECK(text(0, EqualizationModel::SecondDb) == "20.0 → 24.5");
    CHECK(text(0, EqualizationModel::Scales) == "0.25 … 8");
    CHECK(text(0, EqualizationModel::Dominant) == "7 (×12.5)");
    CHECK(text(1, EqualizationModel::Gain) == "–");
    CHECK(text(1, EqualizationModel::Notes) == "is used elsewhere");
    CHECK(model.index(0, EqualizationModel::Gain).data(EqualizationModel::SortRole).toDouble() ==
          4.5);
    CHECK_FALSE(
        model.index(1, EqualizationModel::Gain).data(EqualizationModel::SortRole).isValid());
}

}  // namespace equalization_model_test
