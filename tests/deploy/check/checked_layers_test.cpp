// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/deploy/check/checked_layers.h"

#include "core/layers/layer_errors.h"
#include "tests/support/catch.h"
#include "tests/support/h5_file.h"

#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

namespace checked_layers_test {

using namespace calibscope;
using test::Approx;

/// y = x w^T of four samples, two inputs and two outputs.
struct Product
{
    test::H5File file;
    std::vector<float> input{0.3F, -1.0F, 0.8F, 0.55F, -0.26F, 0.9F, 1.0F, -0.7F};
    std::vector<float> weight{0.5F, -0.21F, 2.0F, 1.3F};
    std::vector<float> output = product(input, weight);

    Product()
    {
        file.makeGroup("/activations");
        file.attribute("/", "format", std::string("calibration-dump"));
        file.attribute("/", "format_version", std::int64_t{1});
        file.write("/activations/x", {4, 2}, input);
        file.write("/weights/w", {2, 2}, weight);
        file.attribute("/weights/w", "channel_axis", std::int64_t{0});
        file.write("/activations/y", {4, 2}, output);
        file.attribute("/activations/y", "op_type", std::string("Gemm"));
        file.attribute("/activations/y", "transB", std::int64_t{1});
        file.attribute("/activations/y", "inputs", std::vector<std::string>{"x", "w"});
    }

    static std::vector<float> product(const std::vector<float>& x, const std::vector<float>& w)
    {
        std::vector<float> y(8);
        for (std::size_t sample = 0; sample < 4; ++sample)
            for (std::size_t to = 0; to < 2; ++to)
                y[sample * 2 + to] = x[sample * 2] * w[to * 2] + x[sample * 2 + 1] * w[to * 2 + 1];
        return y;
    }
};

model::QuantizedTensor scaled(const std::string& name, std::vector<float> scales)
{
    model::QuantizedTensor tensor{.name = name};
    tensor.quantization.zeroPoints.assign(scales.size(), 0.0);
    tensor.quantization.scales = std::move(scales);
    return tensor;
}

/// As an integer of so many levels stands for it.
double rounded(float value, float scale)
{
    return static_cast<double>(std::nearbyint(value / scale) * scale);
}

TEST_CASE("a model's scales give layers' outputs the errors that they have by hand")
{
    const Product recorded;
    const auto dump = DumpFile::open(recorded.file.path());
    const TensorInfo& x = dump->tensors()[*dump->find("/activations/x")];
    const TensorInfo& w = dump->tensors()[*dump->find("/weights/w")];
    const float scaleX = 0.125F;
    model::QuantizedTensor weight = scaled("w", {0.25F, 0.5F});
    weight.isWeight = true;
    weight.quantization.axis = 0;
    const std::vector<DecidedTensor> decided{deploy::decidedAs(x, scaled("x", {scaleX})),
                                             deploy::decidedAs(w, weight)};

    double signal = 0.0;
    double noise = 0.0;
    for (std::size_t sample = 0; sample < 4; ++sample)
        for (std::size_t to = 0; to < 2; ++to) {
            double exact = 0.0;
            double quantized = 0.0;
            for (std::size_t k = 0; k < 2; ++k) {
                const float value = recorded.input[sample * 2 + k];
                exact +=
                    static_cast<double>(value) * static_cast<double>(recorded.weight[to * 2 + k]);
                quantized += rounded(value, scaleX) *
                             rounded(recorded.weight[to * 2 + k], weight.quantization.scales[to]);
            }
            const auto y = static_cast<double>(recorded.output[sample * 2 + to]);
            signal += y * y;
            noise += (quantized - exact) * (quantized - exact);
        }
    const auto found = deploy::outputSqnrDbs(*dump, decided, {});
    REQUIRE(found.size() == 2);
    const double byHand = 10.0 * std::log10(signal / noise);
    CHECK(found.at("/activations/y") == Approx(byHand).epsilon(1e-9));
    CHECK(found.at("/weights/w") == found.at("/activations/y"));
    CHECK(deploy::outputSqnrDbs(*dump, {}, {}).empty());
}

TEST_CASE("levels and zero points are those of the integers")
{
    const TensorInfo info{.role = Role::Weight, .shape = {2}};
    model::QuantizedTensor weight = scaled("w", {0.5F});
    weight.quantization.format = NumberFormat::integers(-127, 127);
    CHECK(deploy::decidedAs(info, weight).outcome.whole.quantizer.lowLevel == -127);
    weight.quantization.format = NumberFormat::integers(0, 255);
    weight.quantization.zeroPoints = {128};
    const Quantizer affine = deploy::decidedAs(info, weight).outcome.whole.quantizer;
    CHECK(affine.lowLevel == 0);
    CHECK(affine.highLevel == 255);
    CHECK(affine.zeroPoint == 128.0);
}

}  // namespace checked_layers_test
