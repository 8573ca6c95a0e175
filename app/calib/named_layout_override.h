#pragma once

#include "core/tensor/layout_override.h"

#include <string>

namespace calibscope::cli {

/// What one --understand says of the tensors that it means.
struct NamedLayoutOverride
{
    std::string pattern;  ///< a name, a path or a glob on names
    LayoutOverride layoutOverride;

    [[nodiscard]] bool means(const TensorInfo& tensor) const;
};

/// Reads "GLOB:KEY=VALUE,...", cut at the last colon, since names hold colons. The keys are role,
/// batch-axis, batch-size, channel-axis and type; an axis may be "none". Throws Error(Usage).
[[nodiscard]] NamedLayoutOverride parseNamedLayoutOverride(const std::string& text);

}  // namespace calibscope::cli
