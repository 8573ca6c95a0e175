#pragma once

#include <functional>
#include <optional>
#include <string>

namespace calibscope::engine {

/// The bytes that come next, at least one, waited for. Nothing at the end of the input, when it
/// fails, when the parent process has gone, or when `isOver` (asked twice a second) says so.
[[nodiscard]] std::optional<std::string> nextBytes(int descriptor,
                                                   const std::function<bool()>& isOver);

}  // namespace calibscope::engine
