// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/quant/tensor_quantization.h"
#include "core/tensor/op_geometry.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace calibscope::layers {

/// Conv, ConvTranspose, Gemm or MatMul.
[[nodiscard]] bool isLayerOp(std::string_view op);

/// A layer's tensors, as far as shapes tell of them. Axis 0 of input and output are the samples.
struct LayerShapes
{
    std::string op;
    std::vector<std::uint64_t> input;
    std::vector<std::uint64_t> weight;
    std::vector<std::uint64_t> output;
    bool isWeightPerSample = false;  ///< a second activation: axis 0 of `weight` are samples
    bool isWeightFirst = false;      ///< MatMul of the weight with the input
};

/// One spatial axis of a convolution.
struct ConvAxis
{
    std::int64_t in = 1;
    std::int64_t out = 1;
    std::int64_t kernel = 1;
    std::int64_t stride = 1;
    std::int64_t dilation = 1;
    std::int64_t padBegin = 0;
};

/// How a layer is computed as products of rows. A position is a place of a sample; its row in a
/// group of channels is gathered from the input, and the row's product with a matrix of the weight
/// gives the outputs of that group's channels at that place:
///
///     row[outer x inners + inner] = input[group x outers x inputOuter + outer x inputOuter
///                                         + offset(place, inner)]      0 where there is no offset
///     matrix[k, channel]          = weight[matrix(place) x weightMatrix + group x weightGroup
///                                          + outer x weightOuter + inner x weightInner
///                                          + channel x weightChannel]
///
/// The output's value is at outputBase(place) + channel x outputChannel, its channels counted
/// through all groups.
struct LayerPlan
{
    std::uint64_t samples = 0;
    std::uint64_t places = 1;  ///< of a sample
    std::uint64_t groups = 1;
    std::uint64_t outers = 1;
    std::uint64_t inners = 1;
    std::uint64_t channelsPerGroup = 1;
    std::uint64_t matrices = 1;  ///< different ones that a sample's places take

    std::uint64_t inputValues = 0;   ///< of a sample
    std::uint64_t weightValues = 0;  ///< in all, or of a sample
    std::uint64_t outputValues = 0;  ///< of a sample
    bool isWeightPerSample = false;

    std::uint64_t inputOuter = 0;
    std::uint64_t weightMatrix = 0;
    std::uint64_t weightGroup = 0;
    std::uint64_t weightOuter = 0;
    std::uint64_t weightInner = 0;
    std::uint64_t weightChannel = 0;
    std::uint64_t outputChannel = 0;
    double factor = 1.0;  ///< Gemm's alpha

    // Of a convolution.
    bool isConvolution = false;
    bool isTransposed = false;
    std::vector<ConvAxis> axes;

    // Of a product.
    std::uint64_t rows = 1;       ///< places that share a matrix of the input
    std::uint64_t inputRow = 0;   ///< distance of neighbouring rows in the input
    std::uint64_t outputRow = 0;  ///< likewise in the output
    std::uint64_t outputMatrix = 0;
    std::vector<std::uint64_t> inputBases;     ///< of each matrix of the output
    std::vector<std::uint64_t> matrixIndices;  ///< likewise

    [[nodiscard]] std::uint64_t depth() const { return outers * inners; }  ///< products per output
    [[nodiscard]] std::uint64_t channels() const { return groups * channelsPerGroup; }
    [[nodiscard]] std::uint64_t inputChannels() const { return groups * outers; }
    [[nodiscard]] std::uint64_t positions() const { return samples * places; }
    /// Which matrix of the weight a place takes.
    [[nodiscard]] std::uint64_t matrixOf(std::uint64_t place) const;
    /// Offsets in a sample of the input, one for each inner, without those of outer and group; -1:
    /// a padded place, whose value is 0. Requires as many offsets as inners.
    void offsetsAt(std::uint64_t place, std::span<std::int64_t> offsets) const;
    [[nodiscard]] std::uint64_t outputBase(std::uint64_t place) const;
    /// Where a group's weights lie in the first matrix: [channel][column of the depth].
    [[nodiscard]] std::vector<std::size_t> weightIndices(std::uint64_t group) const;
    /// How channels of the input follow each other in a sample.
    [[nodiscard]] ChannelAxis inputChannelAxis() const
    {
        return {.run = inputOuter, .channels = inputChannels()};
    }
};

/// A plan, or why there is none as a sentence.
struct PlannedLayer
{
    LayerPlan plan;
    std::string whyNot;  ///< empty: there is a plan
};

/// How to compute that layer. Of a convolution and a Gemm the geometry's defaults are ONNX's;
/// `output` is what the attributes must give. Any numbers are taken: what contradicts itself, or is
/// beyond 2^30, is reported.
[[nodiscard]] PlannedLayer planLayer(const LayerShapes& shapes, const OpGeometry& geometry);

/// "strides 2 2, pads 1 1 1 1, dilations 1 1, group 96": what a plan goes by, for people; empty of
/// a product without transB.
[[nodiscard]] std::string geometryText(const LayerShapes& shapes, const OpGeometry& geometry);

}  // namespace calibscope::layers
