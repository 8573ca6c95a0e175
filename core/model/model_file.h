// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tensor/element_type.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace onnx {
class ModelProto;
}

namespace calibscope::model {

/// A tensor that has a name in a graph.
struct GraphTensor
{
    std::string name;
    /// Graphs around it, outermost first, as node and attribute: "If_0.then_branch"; empty: it is
    /// in the main graph.
    std::string scope;
    std::string op;  ///< that makes it; "Input" for the graph's; empty for an initializer
    bool isConstant =
        false;  ///< its values are in the file, or follow from such without running it
    std::optional<ElementKind> elementType;  ///< of a constant
    bool isPacked = false;             ///< they are stored with 4 bits, as INT4 or UINT4 of ONNX
    std::vector<std::uint64_t> shape;  ///< of a constant
    std::string consumerOp;            ///< of the first node that takes it; empty: none does
    int consumerInput = 0;             ///< which of that node's inputs it is
};

/// A constant of floating point that a layer takes as its weight or bias.
struct LayerConstant
{
    std::size_t tensor = 0;  ///< in the list of all
    bool isBias = false;
    std::optional<int> channelAxis;  ///< of the layer's output channels; none: it has no such axis
    std::string op;                  ///< of the first layer that takes it so
    std::string node;                ///< its name; without one its first output's
    int input = 0;                   ///< which of its inputs it is
};

/// An ONNX model, read whole; what it keeps in other files is read when it is asked for.
class ModelFile
{
public:
    /// Throws Error(Input), a sentence with the path, for what is not a model, has no graph, is larger
    /// than 2 GiB, nested too deep, or refers to files outside of its folder.
    [[nodiscard]] static std::shared_ptr<const ModelFile> read(const std::string& path);
    /// The same, with the values of large tensors left in the file until they are asked for: the
    /// list takes up to `mostMemory` bytes, more is an Error(Input). proto() lacks them.
    [[nodiscard]] static std::shared_ptr<const ModelFile> readOutline(const std::string& path,
                                                                      std::uint64_t mostMemory);
    ~ModelFile();

    [[nodiscard]] const std::string& path() const;
    [[nodiscard]] const ::onnx::ModelProto& proto() const;
    /// All tensors of all graphs, outer graphs first, each in the order of the file.
    [[nodiscard]] const std::vector<GraphTensor>& tensors() const;
    /// The values of a constant, row by row. Throws Error(Input) where they can't be read.
    [[nodiscard]] std::vector<float> values(std::size_t tensor) const;

    /// Its own statements: "model" (the graph's name), "source" (program and version that made
    /// it), "opset", "ir_version"; long texts are cut.
    [[nodiscard]] std::map<std::string, std::string> attributes() const;
    /// Weights and biases of layers, in the order of tensors(): what Conv, ConvTranspose, Gemm,
    /// MatMul, LSTM, GRU, RNN multiply with, tables of Gather; what the first six add, and vectors
    /// that an Add adds to the output of a layer.
    [[nodiscard]] const std::vector<LayerConstant>& layerConstants() const;
    /// The elements of a constant as they are stored (StoredTensor::bytes), in blocks of about a
    /// MiB or, where they are in the model's memory anyway, at once. Throws Error(Input) where they
    /// can't be read, and what the visitor throws.
    void visitElements(std::size_t tensor,
                       const std::function<void(std::span<const std::byte>)>& visitor) const;
    /// The file beside the model that holds the constant's values; empty: the model's own does.
    [[nodiscard]] std::string dataFile(std::size_t tensor) const;
    /// All files beside the model that hold values of its graphs' tensors, each once.
    [[nodiscard]] std::vector<std::string> dataFiles() const;
    /// Bytes of memory that its values take while they are read: of what is moved first, all that
    /// is moved; else no more than a block.
    [[nodiscard]] std::uint64_t bytesToRead(std::size_t tensor) const;

private:
    struct Impl;
    static std::shared_ptr<const ModelFile> of(const std::string& path, ::onnx::ModelProto&& proto);
    explicit ModelFile(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> m_impl;
};

}  // namespace calibscope::model
