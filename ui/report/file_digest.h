#pragma once

#include <functional>
#include <string>

namespace calibscope {

/// SHA-256 of a file as 64 hexadecimal digits; empty where it can't be read. Reads all of it, and
/// calls `step` for each part, which may throw to stop.
[[nodiscard]] std::string fileDigest(const std::string& path, const std::function<void()>& step);

}  // namespace calibscope
