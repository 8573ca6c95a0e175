#pragma once

#include "core/tensor/element_type.h"

#include <cstdint>
#include <memory>
#include <optional>
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
    std::vector<std::uint64_t> shape;        ///< of a constant
    std::string consumerOp;                  ///< of the first node that takes it; empty: none does
    int consumerInput = 0;                   ///< which of that node's inputs it is
};

/// An ONNX model, read whole; what it keeps in other files is read when it is asked for.
class ModelFile
{
public:
    /// Throws Error(Input), a sentence with the path, for what is no model, has no graph, is larger
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

private:
    struct Impl;
    static std::shared_ptr<const ModelFile> of(const std::string& path, ::onnx::ModelProto&& proto);
    explicit ModelFile(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> m_impl;
};

}  // namespace calibscope::model
