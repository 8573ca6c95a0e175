#pragma once

#include <string>
#include <string_view>

namespace calibscope {

/// A tensor's name without what tools add when they write it: wrappers around the model in front
/// ("module.", "model.", "_orig_mod."), an output number ":0" behind, and the choice among ".",
/// "/", ":" and "\" as separators, which all become ".". Case is kept. Never empty for a name that
/// is not: what would leave nothing is kept.
[[nodiscard]] std::string normalizedName(std::string_view name);

}  // namespace calibscope
