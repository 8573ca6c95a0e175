// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/layer_changes.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace calibscope::model {

/// Which decided activations get a pair of QuantizeLinear and DequantizeLinear.
enum class PairPlaces {
    Operands,  ///< those that layers multiply, for the layers alone
    Layers,    ///< the same, and results of layers for all who take them
    Decided,   ///< all, for all who take them
};
enum class ActivationIntegers { Int8, UInt8 };
enum class BiasStorage { Float, Int32 };
enum class TargetRuntime { Any, OnnxRuntime, TensorRt };

struct QuantizeOptions
{
    PairPlaces places = PairPlaces::Layers;
    ActivationIntegers activations = ActivationIntegers::Int8;
    BiasStorage biases = BiasStorage::Float;
    /// Levels of 8-bit weights reach to it, both ways: 127 leaves them as decided; 63 makes scales
    /// twice as wide, so that processors that add products in 16 bits don't saturate.
    int mostWeightLevel = 127;
    TargetRuntime target = TargetRuntime::Any;
    bool quantizesOutputs = false;          ///< the graph's outputs get a pair, too
    bool allowsChannelActivations = false;  ///< writes scales per channel of activations
    std::vector<LayerChange> changes = {};  ///< of layers, before they are quantized
    /// Keys and values to be stated in the model.
    std::vector<std::pair<std::string, std::string>> metadata = {};
};

/// The value of an option of the command line. Throw Error(Usage) for other words.
[[nodiscard]] PairPlaces parsePairPlaces(std::string_view text);
[[nodiscard]] ActivationIntegers parseActivationIntegers(std::string_view text);
[[nodiscard]] BiasStorage parseBiasStorage(std::string_view text);
[[nodiscard]] TargetRuntime parseTargetRuntime(std::string_view text);
/// Largest level of 8-bit weights: 127, 63, or for "auto" the largest that no processor of the
/// target saturates with: 127 of TensorRT, else 63, as ONNX Runtime may run on x86 without VNNI.
[[nodiscard]] int parseMostWeightLevel(std::string_view text, TargetRuntime target);
/// "operands", "layers", "decided".
[[nodiscard]] std::string_view pairPlacesText(PairPlaces places);

}  // namespace calibscope::model
