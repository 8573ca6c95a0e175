#pragma once

#include <string>

namespace calibscope {

/// SHA-256 of a whole file, as 64 lower-case hexadecimal digits. Reads all of it. Throws
/// Error(Input).
[[nodiscard]] std::string fileSha256(const std::string& path);
/// The same of its first bytes, as FileIdentity::headerSha256 wants it.
[[nodiscard]] std::string headerSha256(const std::string& path);

}  // namespace calibscope
