// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/layer_model.h"

#include "tests/support/layer_samples.h"
#include "ui/document/decisions.h"
#include "ui/plot/number_label.h"

#include <limits>

namespace layer_model_test {

using namespace calibscope;
using namespace calibscope::test;

struct ModelledLayers : LayeredDocument
{
    ModelledLayers()
    {
        layers().start();
        list();
        model.refresh();
    }
    QString text(int row, int column) const { return model.index(row, column).data().toString(); }
    TableModel<LayerRow> model{layerTable(document), [this] { return std::span(layers().rows()); }};
};

TEST_CASE("rows are layers, those that cannot be computed with their reason")
{
    ModelledLayers test;
    REQUIRE(test.model.rowCount() == 3);
    CHECK(test.text(0, LayerColumn::Layer) == "y1");
    CHECK(test.text(0, LayerColumn::Output) == "…");
    CHECK(test.text(2, LayerColumn::Output) == "–");
    CHECK(test.text(2, LayerColumn::Notes) == "input `gone` is not in the dump");
}

TEST_CASE("numbers come with their interval, and say how many positions they are from")
{
    ModelledLayers test;
    test.answerLayer(30.0);
    CHECK(test.text(0, LayerColumn::Output) == "30.0 ± 1.5");
    CHECK(test.text(0, LayerColumn::Ac) == "28.0");
    CHECK(test.text(0, LayerColumn::InputDb) == "31.0");
    CHECK(test.text(0, LayerColumn::WeightDb) == "36.0");
    CHECK(test.text(0, LayerColumn::Positions) ==
          QStringLiteral("≈ 256 of %1").arg(countLabel(10000)));
    CHECK(test.text(0, LayerColumn::Residual) == "3×10⁻⁷");
    CHECK(test.model.index(0, LayerColumn::Output).data(tableSortRole).toDouble() == 30.0);
    CHECK_FALSE(test.model.index(2, LayerColumn::Output).data(tableSortRole).isValid());
    test.layers().computeExactly(0);
    test.answerAll();
    CHECK(test.text(0, LayerColumn::Positions) == QStringLiteral("all %1").arg(countLabel(10000)));
    CHECK(test.text(0, LayerColumn::Output) == "30.0");
}

TEST_CASE("a row says what quantizes its operands, and who says so")
{
    ModelledLayers test;
    CHECK(test.text(0, LayerColumn::Input) == "x1  percentile 99.999 (recipe's)");
    (void)acceptCandidate(test.document, {0}, "min-max");
    CHECK(test.text(0, LayerColumn::Input) == "x1  min-max (accepted)");
    CHECK_THAT(test.text(2, LayerColumn::Input).toStdString(), containsText("float"));
}

TEST_CASE("what is to be known of a row is told in sentences")
{
    ModelledLayers test;
    test.answerLayer(30.0);
    const std::string told = layerSentences(test.layers().rows()[0]).join(u' ').toStdString();
    CHECK_THAT(told,
               containsText("From 256 of " + countLabel(10000).toStdString() + " positions.") &&
                   containsText("residual of 3×10⁻⁷") && containsText("Attributes as recorded.") &&
                   containsText("(the bias) gains 0.5 dB"));
    LayerRow found = test.layers().rows()[0];
    found.found.attributes = "found by recomputing: pads 1, strides 2";
    found.found.residual.reset();
    const std::string other = layerSentences(found).join(u' ').toStdString();
    CHECK_THAT(other, containsText("Attributes found by recomputing: pads 1, strides 2.") &&
                          containsText("no recorded output to check it with"));
    CHECK(layerSentences(test.layers().rows()[2]) ==
          QStringList{"input `gone` is not in the dump"});
}

TEST_CASE("infinite and missing ratios have a text")
{
    constexpr double inf = std::numeric_limits<double>::infinity();
    CHECK(layerDbText(inf, 0.3) == "∞");
    CHECK(layerDbText({}) == "–");
    CHECK(dbChangeText(6.1) == "+6.1");
    CHECK(dbChangeText(-0.3) == "−0.3");
}

}  // namespace layer_model_test
