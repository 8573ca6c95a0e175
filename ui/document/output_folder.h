// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace calibscope {

/// Where files that are made of a dump are proposed to go: to the session file's, if it can be
/// written there, else to the dump's likewise, else to the user's documents, else home. Without
/// "/" at its end. Both may be empty.
[[nodiscard]] QString outputFolder(const QString& sessionPath, const QString& dumpPath);

}  // namespace calibscope
