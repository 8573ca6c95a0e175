// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/deploy_model.h"

#include "tests/support/deployed_document.h"

namespace models_deploy_model_test {

using namespace calibscope;
using namespace calibscope::test;

QString cellText(const QAbstractItemModel& model, int row, int column)
{
    return model.index(row, column).data().toString();
}

TEST_CASE("decided tensors are listed, then what is written of them and what is odd")
{
    DeployedDocument test;
    TableModel<DeployRow> model(deployTable());
    CHECK(model.rowCount() == 0);
    test.decide();
    model.setRows(deployRows(test.deployment));
    REQUIRE(model.rowCount() == 2);
    using Column = DeployColumn;
    CHECK(cellText(model, 0, Column::Tensor) == "w");
    CHECK_FALSE(cellText(model, 0, Column::Decision).isEmpty());
    CHECK(cellText(model, 0, Column::WrittenAs) == "–");
    test.deployment.showPlan(somePlan());
    model.setRows(deployRows(test.deployment));
    REQUIRE(model.rowCount() == 3);
    CHECK(cellText(model, 0, Column::WrittenAs) == "int8, 4 scales up to 0.125");
    CHECK(cellText(model, 1, Column::WrittenAs) == "pair, scale 0.5");
    CHECK(model.row(1).level == 3);
    CHECK(model.index(1, Column::Lints).data(Qt::ToolTipRole).toString().count(u'\n') == 1);
    CHECK(model.row(1).tensor == a);
    // What is said of the whole model has a row of its own.
    CHECK(cellText(model, 2, Column::Lints) == "functions are left alone");
    CHECK(model.row(2).tensor == -1);
    for (int column = 0; column < model.columnCount(); ++column)
        CHECK_FALSE(model.headerData(column, Qt::Horizontal, Qt::ToolTipRole).toString().isEmpty());
}

TEST_CASE("of many large drops the three largest stand out")
{
    const auto standsOut = [](std::initializer_list<double> drops) {
        std::vector<TensorCheck> tensors(1);  // without a drop
        for (const double drop : drops)
            tensors.push_back({.name = "t", .dropDb = drop});
        return standingOutDropDb(tensors);
    };
    CHECK(standsOut({}) == 6.0);
    CHECK(standsOut({5.0, 7.0, 8.0}) == 6.0);
    CHECK(standsOut({9.0, 7.0, 12.0, 8.0}) == 8.0);
}

TEST_CASE("the result has a row for each tensor, and a large drop stands out")
{
    DeployedDocument test;
    const double standsOutDb = standingOutDropDb(someCheck().tensors);
    TableModel<TensorCheck> model(checkTable(standsOutDb));
    CHECK(model.rowCount() == 0);
    test.deployment.showReport(someCheck());
    model.setRows(test.deployment.report()->tensors);
    using Column = CheckColumn;
    REQUIRE(model.rowCount() == 4);
    CHECK(cellText(model, 0, Column::RunningDb) == "∞");
    CHECK(cellText(model, 0, Column::Drop) == "–");
    CHECK(cellText(model, 1, Column::Op) == "weight");
    CHECK(cellText(model, 2, Column::LayerDb) == "30.0");
    CHECK(cellText(model, 2, Column::Drop) == "17.5");
    CHECK(model.index(2, Column::Drop).data(Qt::FontRole).value<QFont>().bold());
    CHECK_FALSE(model.index(3, Column::Drop).data(Qt::FontRole).value<QFont>().bold());
    CHECK(model.index(2, Column::Drop).data(tableSortRole).toDouble() == 17.5);
    CHECK_FALSE(model.index(1, Column::Drop).data(tableSortRole).isValid());
}

TEST_CASE("an output's agreement is a line")
{
    CHECK(outputSentence(someCheck().outputs.at(0)) ==
          "y: 20.0 dB as written (median sample 20.5, least 18.0), 18.0 dB as fused, cosine "
          "0.995, same argmax in 87.5 % of rows");
    OutputCheck refused = someCheck().outputs.at(0);
    refused.asFused = {};
    CHECK_THAT(outputSentence(refused).toStdString(), containsText(", not run as fused, "));
}

}  // namespace models_deploy_model_test
