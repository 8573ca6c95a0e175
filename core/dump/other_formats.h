#pragma once

#include <string>
#include <string_view>

namespace calibscope {

/// What a file really is that is no HDF5 file, and what would work instead, as "an empty file; ..."
/// to follow a path and "is". Judged by its first bytes, and its name where those leave a choice.
[[nodiscard]] std::string otherFormat(std::string_view firstBytes, std::string_view path);

}  // namespace calibscope
