// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/layers/weight_inputs.h"

#include "core/dump/dump_file.h"
#include "tests/support/catch.h"
#include "tests/support/h5_file.h"

namespace weight_inputs_test {

using namespace calibscope;

TEST_CASE("means of squares and products of a layer's input, by its columns")
{
    const auto dump = DumpFile::open(CALIBSCOPE_SOURCE_DIR "/tests/golden/format_operands.h5");
    const std::vector<float> input =
        readAll(dump->source(dump->indexOf("/activations/layer.input")));
    const TensorInfo& weight = dump->tensors()[dump->indexOf("/weights/layer.weight")];
    const InputProducts inputs = layers::weightInputs(*dump, weight, true);
    REQUIRE(inputs.columns == 128);
    CHECK(inputs.rowsPerGroup == 64);
    const auto mean = [&](std::size_t a, std::size_t b) {
        double sum = 0.0;
        for (std::size_t row = 0; row < 96; ++row)
            sum += static_cast<double>(input[row * 128 + a]) *
                   static_cast<double>(input[row * 128 + b]);
        return sum / 96.0;
    };
    for (const std::size_t column : {0U, 5U, 127U})
        CHECK(static_cast<double>(inputs.squares[column]) ==
              test::Approx(mean(column, column)).epsilon(1e-6));
    const ErrorWeights part = inputs.at(3, 32, 16, true);
    CHECK(part.squares[1] == inputs.squares[33]);
    CHECK(part.products[2 * part.stride + 5] == test::Approx(mean(34, 37)).epsilon(1e-9));
    CHECK(part.products[5 * part.stride + 2] == part.products[2 * part.stride + 5]);
    CHECK(layers::weightInputs(*dump, weight, false).products.empty());
}

TEST_CASE("a weight without a layer has no importance")
{
    test::H5File file;
    file.write("/weights/w", {2, 4}, std::vector<float>(8, 1.0F));
    const auto dump = DumpFile::open(file.path());
    CHECK_THROWS_WITH(layers::weightInputs(*dump, dump->tensors()[0], false),
                      test::containsText("no layer with a recorded input multiplies it"));
}

}  // namespace weight_inputs_test
