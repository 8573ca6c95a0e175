#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace calibscope::model {

enum class ModelLintLevel { Note, Warning, Error };

/// What is odd about a model to be written, found by what decides it.
struct ModelLint
{
    ModelLintLevel level = ModelLintLevel::Note;
    std::string_view rule;  ///< a lint's id, "clipped-share": the same for all that it is said of
    std::string tensor;     ///< the graph's name; empty: of the whole model
    std::string scope;      ///< of the tensor
    std::string text;       ///< a sentence with the name
};

using ModelLints = std::vector<ModelLint>;

/// "note", "warning", "error".
[[nodiscard]] std::string_view lintLevelText(ModelLintLevel level);

}  // namespace calibscope::model
