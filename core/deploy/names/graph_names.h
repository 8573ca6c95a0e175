// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/deploy/names/name_map.h"
#include "core/model/model_file.h"
#include "core/tensor/element_type.h"
#include "core/tensor/tensor_info.h"

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace calibscope::deploy {

/// How a tensor of a dump was found in a graph; the first rule that hits anything decides.
enum class NameRule {
    Map,        ///< the user's map gives the name
    Attribute,  ///< its recorder wrote the graph's name
    Equal,      ///< both have the same name
    Dots,       ///< the same with "." for "/", and without leading dots
    Suffix,     ///< the graph's name ends in it, behind one of . / : _
    Layer,      ///< a weight of equal values whose layer is the one that the recorder wrote
};

/// Outcome of the search for a tensor's name.
struct GraphName
{
    std::optional<std::size_t> tensor;  ///< index among the graph's; nothing: it was not placed
    NameRule rule = NameRule::Equal;    ///< of those that hit
    /// How it was found, or why not, as a sentence without the tensor's name.
    std::string reason;
    /// Places of all that it could be, where it was not placed.
    std::vector<std::size_t> candidates = {};
    bool isByValueAlone = false;  ///< the candidates have its values, but no name like its
    /// A weight that was recorded with fewer digits than the graph has: what is quantized are the
    /// graph's.
    bool isRounded = false;
    /// A weight whose values are not those that the graph has: an error, not a matter of names.
    bool differs = false;
};

/// How a weight as recorded fits the model's, the worst first.
enum class ValuesFit {
    Differ,
    Rounded,  ///< equal to the model's rounded to the type in which they were recorded
    Equal,    ///< every float equal, NaN too
};

/// The nearest value of float16 or bfloat16, ties to even, as frameworks convert; nothing where
/// that is an infinity but `value` is none. Of other types the value itself.
[[nodiscard]] std::optional<float> roundedTo(ElementKind kind, float value);

/// Of as many values on both sides, `recorded` in elements of that type.
[[nodiscard]] ValuesFit valuesFit(std::span<const float> recorded, ElementKind kind,
                                  std::span<const float> values);

/// Input of graphNames() other than names.
struct GraphNaming
{
    NameMap map = {};  ///< by name or path of the dump's tensor
    /// How the values of that tensor of the dump fit these.
    std::function<ValuesFit(std::size_t tensor, std::span<const float> values)> fit = {};
    /// The values of that constant of the graph, row by row.
    std::function<std::vector<float>(std::size_t graphTensor)> graphValues = {};
    /// The graph's weights and biases with the layers that take them.
    std::span<const model::LayerConstant> layers = {};
    /// A weight takes the graph's values: those of the dump need not be equal.
    bool takesGraphWeights = false;
};

/// The graph's names of a dump's tensors, in their order: weights and biases first, among
/// constants, by name and, always, by value (same shape, every float equal, or equal once rounded
/// to the type in which it was recorded); where several activations of the graph could be one of
/// the dump, only those in the graph, inner or outer, in which the weights were found. A weight
/// whose name the graph lacks, as that of an LSTM put together from slices, is the constant of
/// equal values that its recorded layer (TensorInfo::consumer) takes.
///
/// Nothing is guessed. Not placed, with a list of all that they could be, are: what stays
/// ambiguous; two tensors of the dump that lead to one of the graph by the same rule; a weight
/// whose values the graph has, but neither its name nor its layer's. A weight that the graph
/// computes when it runs is placed by its name alone, and its reason says so. Without the functions
/// of `naming` values are not compared. Costs a look at each name, and the values of each constant
/// that could be a weight.
[[nodiscard]] std::vector<GraphName> graphNames(std::span<const TensorInfo> tensors,
                                                std::span<const model::GraphTensor> graph,
                                                const GraphNaming& naming);

/// "none of the 12 tensors is in the graph; names look like `a/b`, the dump's like `c`"; empty if
/// any is. The graph's name is of a tensor of the same kind, if it has one.
[[nodiscard]] std::string whyNoneIsThere(std::span<const TensorInfo> tensors,
                                         std::span<const model::GraphTensor> graph,
                                         std::span<const GraphName> names);

}  // namespace calibscope::deploy
