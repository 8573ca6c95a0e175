#pragma once

#include "ui/document/session_document.h"

#include <QString>

namespace calibscope {

/// What the name of a session file ends with.
inline const QString sessionSuffix = QStringLiteral(".calsession");

[[nodiscard]] bool isSessionFile(const QString& path);

/// Reads a whole session file; needs no window. Throws Error(Input), a sentence with the path.
[[nodiscard]] SessionDocument readSession(const QString& path);

/// Writes a file of another name and renames it: whatever fails, there is the former file or the
/// whole new one. Throws Error(Output), a sentence with the path and the system's reason.
void writeSession(const SessionDocument& document, const QString& path);

}  // namespace calibscope
