#pragma once

#include <string>

namespace calibscope {

/// SHA-256 of a whole file, as 64 lower-case hexadecimal digits. Reads all of it. Throws
/// Error(Input).
[[nodiscard]] std::string fileSha256(const std::string& path);

}  // namespace calibscope
