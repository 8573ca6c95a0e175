#pragma once

#include <set>
#include <string>
#include <string_view>

namespace calibscope {

/// File names for tensors: safe everywhere, and each given once.
class FileNames
{
public:
    /// The name with all but ASCII letters, digits, dot, minus and underscore replaced by `_`, cut
    /// to 100 characters, without a leading dot; with "-2", "-3", ... behind it where it was given
    /// before. Names that differ in case alone count as one.
    [[nodiscard]] std::string next(std::string_view tensor);

private:
    std::set<std::string> m_given;  ///< in lower case
};

}  // namespace calibscope
