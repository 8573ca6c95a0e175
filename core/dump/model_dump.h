#pragma once

#include "core/base/file_identity.h"
#include "core/base/progress.h"
#include "core/stats/rule_use.h"
#include "core/tensor/tensor_info.h"
#include "core/tensor/value_boxes.h"
#include "core/tensor/value_source.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace calibscope {

/// An ONNX model seen as a dump, by the rule "onnx-model": weights and biases of its layers,
/// without any recording.
class ModelDump
{
public:
    /// Reads the graph; values stay in the file until they are visited. Takes at most the budget.
    /// Data in other files is listed as unreadable unless these are allowed. Throws Error(Input),
    /// a sentence with the path, for what is no model or can't be read in that memory.
    [[nodiscard]] static std::shared_ptr<const ModelDump>
    open(const std::string& path, std::uint64_t memoryBytes, bool allowsOtherFiles);
    ~ModelDump();

    /// Of the model and, where they are read, of the files beside it that hold its values.
    [[nodiscard]] const FileIdentity& identity() const;
    /// Those files.
    [[nodiscard]] const std::vector<std::string>& dataFiles() const;
    [[nodiscard]] const std::vector<TensorInfo>& tensors() const;
    /// Of the model: opset, IR version, who produced it.
    [[nodiscard]] const std::map<std::string, std::string>& attributes() const;
    [[nodiscard]] const std::vector<std::string>& warnings() const;
    [[nodiscard]] std::vector<RuleUse> rules() const;
    /// As DumpFile::source(), for a tensor of the list.
    [[nodiscard]] static ValueSource source(const std::shared_ptr<const ModelDump>& dump,
                                            std::size_t tensor, TensorInfo understood);
    /// As DumpFile::boxes(). With the first box all values are read, and kept: throws Error(Input)
    /// where they take more memory than may be taken.
    [[nodiscard]] static ValueBoxes boxes(const std::shared_ptr<const ModelDump>& dump,
                                          std::size_t tensor, TensorInfo understood);

private:
    struct Impl;
    explicit ModelDump(std::unique_ptr<Impl> impl);
    void visit(std::size_t tensor, const TensorInfo& understood, const BlockVisitor& visitor,
               const Progress& progress) const;
    std::unique_ptr<Impl> m_impl;
};

}  // namespace calibscope
