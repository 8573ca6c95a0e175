// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/finding.h"
#include "core/model/model_file.h"
#include "core/model/pair_plan.h"
#include "core/model/quantize_options.h"
#include "core/model/tensor_scales.h"
#include "core/model/weight_plan.h"

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace onnx {
class ModelProto;
}

namespace calibscope::model {

/// A tensor that a quantized model holds or makes as integers.
struct IntegerTensor
{
    TensorScales scales;   ///< as they were written
    std::string integers;  ///< name of the initializer or tensor that holds them
    std::string scale;     ///< name of the initializer that holds its scales
    std::string zeroPoint;
};

struct QuantizedModel
{
    std::vector<IntegerTensor> activations;
    std::vector<IntegerTensor> weights;
    std::size_t biases = 0;    ///< that became int32
    bool needsBlocks = false;  ///< has integers of 4 or 16 bits or scales of groups: liftToBlocks()
    Findings lints;
};

/// The pairs and integers that scales make of a model.
struct QuantizePlan
{
    FloatLayers floats;
    PairPlan pairs;
    std::vector<IntegerWeight> weights;
};

/// What quantizeModel() would write into the model of that index. Throws as it.
[[nodiscard]] QuantizePlan planQuantization(const GraphIndex& index,
                                            const IndexedConstants& constants,
                                            std::span<const TensorScales> scales,
                                            const QuantizeOptions& options, const std::string& path,
                                            std::span<const std::string> scopes, Findings& lints);

/// Writes QuantizeLinear and DequantizeLinear into the model, which must be of opset 13 or later
/// and IR 7 or later (see lift()), with float constants as initializers or made from such by
/// ops that move values:
///
///     activation T   T -> T_QuantizeLinear -> T_QuantizeLinear_Output
///                      -> T_DequantizeLinear -> T_DequantizeLinear_Output -> who takes it
///     weight W       W_quantized (int8) -> W_DequantizeLinear -> W_DequantizeLinear_Output ->
///                       layers
///     bias B         B_quantized (int32) -> B_DequantizeLinear -> ...      options.biases == Int32
///
/// Integers of 4 and 16 bits are INT4, UINT4, INT16, UINT16 of ONNX, weights of fewer bits those of
/// the next type; groups are written as blocks (block_size).
///
/// with T_scale, T_zero_point and so on; names that the model has get "_2" behind them. Scales are
/// scalars, or vectors along `axis`, which is written. What is rewired loses its value_info; all
/// else stays. A float weight goes when nobody takes it any more.
///
/// `scopes` are the scopes by which the scales know the model's graphs, outer ones first, where
/// lifting has changed them; empty: its own. `path` names the model in sentences, and its folder is
/// where external data lies.
///
/// Throws Error(Input) if none of the scales' tensors is in the graph, if it is quantized already,
/// or if its constants can't be read. The model is of no use then.
QuantizedModel quantizeModel(::onnx::ModelProto& model, std::span<const TensorScales> scales,
                             const QuantizeOptions& options, const std::string& path,
                             std::span<const std::string> scopes = {});

/// The text that a model states under that key; empty: it has none.
[[nodiscard]] std::string metadataOf(const ModelFile& model, std::string_view key);
/// Sets the keys and values that the model is to state.
void setMetadata(::onnx::ModelProto& model, const QuantizeOptions& options);

/// Scopes of all graphs of a model, outer ones first.
[[nodiscard]] std::vector<std::string> graphScopes(const ::onnx::ModelProto& model);

}  // namespace calibscope::model
