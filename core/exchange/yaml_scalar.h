// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace calibscope::exchange {

/// A text as LLVM's YAML writer quotes it: plain where that is enough, in single quotation marks
/// for most other characters, in double ones for control characters and beyond ASCII.
[[nodiscard]] std::string yamlScalar(std::string_view text);

/// The text that a scalar on one line stands for: plain, or in either quotation marks. What is not
/// closed or not an escape is taken as it stands.
[[nodiscard]] std::string fromYamlScalar(std::string_view scalar);

}  // namespace calibscope::exchange
