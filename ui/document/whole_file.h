#pragma once

#include <QString>

#include <string_view>

namespace calibscope {

/// Writes a file of another name and renames it: whatever fails, there is the former file or the
/// whole new one. Throws Error(Output), a sentence with the path and the system's reason.
void writeWhole(const QString& path, std::string_view bytes);

}  // namespace calibscope
