// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/quant/tensor_quantization.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

/// The noise at a network's end by the operands that bring it in, each quantized alone: plain
/// values.
namespace calibscope {

/// A layer of the network, and what it costs for each sample.
struct EndLayer
{
    std::string output;            ///< what the graph calls the tensor that it makes
    double multiplications = 0.0;  ///< 0: not known
    double weightValues = 0.0;
    bool operator==(const EndLayer&) const = default;
};

/// A choice for an operand, and the noise that it alone brings to the end.
struct EndChoice
{
    std::string label;          ///< "percentile symmetric-full int8"
    std::string choiceId = {};  ///< choiceId() of what was decided; empty: not known
    TensorQuantization quantization;
    /// Of each sample the sum of squares of the end's error with all else in float; empty: it is
    /// not measured.
    std::vector<double> power = {};
    /// The same to first order, by the gradients of the end (model::adjointModel()); empty: it is not
    /// computed.
    std::vector<double> adjoint = {};
    /// The error's CheckSums::direction, of length 1.
    std::vector<double> direction = {};
    std::string whyNot = {};  ///< it can't be measured; empty: it can
    bool operator==(const EndChoice&) const = default;
};

/// A tensor that layers multiply: an activation with its pair, or a weight.
struct EndOperand
{
    std::string tensor;  ///< the graph's name
    std::string scope = {};
    bool isWeight = false;
    std::vector<std::size_t> layers = {};  ///< that multiply it
    std::vector<EndChoice> choices = {};
    bool operator==(const EndOperand&) const = default;
};

/// A whole model that was run.
struct MeasuredMix
{
    std::string digest;         ///< of all of its scales
    std::vector<double> power;  ///< of each sample
    bool operator==(const MeasuredMix&) const = default;
};

struct EndTable
{
    std::string end;             ///< the tensor that is compared
    std::vector<double> signal;  ///< of each sample the sum of its squares in float
    std::vector<EndLayer> layers;
    std::vector<EndOperand> operands;
    std::vector<MeasuredMix> mixes;
    bool operator==(const EndTable&) const = default;
};

/// For each operand of a table which of its choices a model has; nothing: it is float.
using EndMix = std::vector<std::optional<std::size_t>>;

/// Part of an operand's choice in the sum.
struct EndShare
{
    std::size_t operand = 0;
    std::size_t choice = 0;
    std::optional<double> power;           ///< over all samples; nothing: not measured
    std::optional<double> shareOfLargest;  ///< the share of its power that one sample has, 0 to 1
    bool isScaled = false;                 ///< from a choice whose scale is within 5 % of its own
    bool isByAdjoint = false;              ///< from a measured choice, by the ratio of adjoints
};

/// The end of a model without running it.
struct EndPrediction
{
    std::vector<EndShare> shares;  ///< the largest first, those not measured last
    double signal = 0.0;
    double noise = 0.0;
    double db = std::numeric_limits<double>::infinity();
    double halfWidthDb = 0.0;  ///< of the interval
    std::size_t scaled = 0;
    std::size_t notMeasured = 0;  ///< that the sum lacks: the end has at most this SQNR
};

/// An operand with another of its choices.
struct EndChange
{
    std::size_t operand = 0;
    std::size_t choice = 0;
    double gainDb = 0.0;      ///< over the mix with the changes before it
    EndPrediction predicted;  ///< with them and this one
};

enum class EndPrecision { Int8, Int16, Float };

/// A point of the budget: which layers are more than int8.
struct BudgetPoint
{
    double cost = 1.0;  ///< all in int8: 1
    std::vector<EndPrecision> layers;
    EndPrediction predicted;
    std::optional<double> measuredDb;
};

}  // namespace calibscope
