// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace calibscope {

/// Where files that are made of a dump are proposed to go: beside the session file, if it can be
/// written there, else to the user's documents, else home. Never beside the dump: folders of data
/// are often read-only, or shared. Without "/" at its end.
[[nodiscard]] QString outputFolder(const QString& sessionPath);

}  // namespace calibscope
