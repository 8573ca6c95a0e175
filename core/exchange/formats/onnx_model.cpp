// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/error.h"
#include "core/exchange/exchange_format.h"
#include "core/model/model_file.h"
#include "core/model/parse_model.h"
#include "core/model/quantized_tensors.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

namespace calibscope::exchange {

namespace {

bool isOnnxModel(const std::string& path)
{
    return path.ends_with(".onnx") || model::isModel(path);
}

/// As entries count: a signed type's integers, uint8 shifted by 128.
ScaleEntry entryOf(const model::ModelFile& file, const model::QuantizedTensor& tensor)
{
    const NumberFormat levels = levelsOf(file, tensor);
    const int shift = levels.low() == 0 ? (levels.high() + 1) / 2 : 0;
    const TensorQuantization& quantization = tensor.quantization;
    ScaleEntry entry{.name = tensor.name,
                     .role = tensor.isWeight ? Role::Weight : Role::Activation,
                     .isPerChannel = quantization.axis.has_value(),
                     .format = NumberFormat::integers(levels.low() - shift, levels.high() - shift)};
    const bool isRestricted = entry.format.low() == -entry.format.high();
    for (std::size_t channel = 0; channel < quantization.scales.size(); ++channel) {
        const auto scale = static_cast<double>(quantization.scales[channel]);
        const double zeroPoint = quantization.zeroPoints[channel] - shift;
        EntryValue value =
            isRestricted ? symmetricValue(scale * entry.format.high())
                         : EntryValue{.range = {.low = scale * (entry.format.low() - zeroPoint),
                                                .high = scale * (entry.format.high() - zeroPoint)}};
        value.scale = scale;
        value.zeroPoint = zeroPoint;
        entry.values.push_back(value);
    }
    entry.isSymmetric = std::ranges::all_of(
        entry.values, [](const EntryValue& value) { return value.zeroPoint == 0.0; });
    if (quantization.group > 1) {
        entry.isPerChannel = false;
        entry.layout = "groups of " + std::to_string(quantization.group);
        entry.values.clear();
        entry.oddities.push_back("has scales for " + entry.layout +
                                 ", which are neither the tensor's nor its channels'");
    }
    return entry;
}

void addLeftOut(ScaleFile& file, std::size_t count, std::string_view why)
{
    if (count > 0)
        file.oddities.push_back(
            fmt::format("{} more tensor{} of integers, {}", count, count == 1 ? "" : "s", why));
}

ScaleFile readOnnxModel(const std::string& path)
{
    const auto model = model::ModelFile::readOutline(path, model::mostModelMemory);
    const model::QuantizedTensors found = quantizedTensors(*model);
    if (found.tensors.empty() && found.unusable.empty())
        throw Error(Fault::Input,
                    "{}: is a model without scales that are constants: its main graph has no "
                    "QuantizeLinear, DequantizeLinear or operator of integers with any",
                    path);
    ScaleFile file;
    for (const auto* list : {&found.tensors, &found.unusable})
        for (const model::QuantizedTensor& tensor : *list)
            file.entries.push_back(entryOf(*model, tensor));
    addLeftOut(file, found.leftOut, "whose scales are found as the model runs, or do not fit them");
    addLeftOut(file, found.inInnerGraphs, "in inner graphs (If, Loop, Scan)");
    return file;
}

}  // namespace

ExchangeFormat onnxModel()
{
    return {.order = 34,
            .id = "onnx-model",
            .title = "Quantized ONNX model",
            .suffix = "onnx",
            .source = "ONNX: QuantizeLinear, QLinearConv and their like; ONNX Runtime 1.17: "
                      "docs/ContribOperators.md, and the names of quantize_static",
            .holds = "Scales and zero points of the tensors that a model has in integers, by Q/DQ "
                     "pairs or by operators of integers; is read only",
            .hasWeights = true,
            .isFile = isOnnxModel,
            .readFile = readOnnxModel};
}

}  // namespace calibscope::exchange
