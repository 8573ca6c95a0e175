#include "core/model/model_lint.h"

namespace calibscope::model {

std::string_view lintLevelText(ModelLintLevel level)
{
    switch (level) {
    case ModelLintLevel::Note: return "note";
    case ModelLintLevel::Warning: return "warning";
    case ModelLintLevel::Error: return "error";
    }
    return {};
}

}  // namespace calibscope::model
