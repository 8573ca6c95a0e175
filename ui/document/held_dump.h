// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/file_identity.h"
#include "ui/document/history.h"
#include "ui/document/workbench.h"

#include <QString>

#include <optional>
#include <string>

namespace calibscope {

/// A dump as it was left: all that it takes to go on with it later.
struct HeldDump
{
    QString path;              ///< absolute
    FileIdentity identity;     ///< when it was read; no header's hash: it was not yet
    bool isRecording = false;  ///< it was read while it was being recorded
    bool allowsExternal = false;
    std::string selected;  ///< path of the selected tensor; empty: none
    Workbench workbench;
    History history;
    std::optional<bool> sweep = std::nullopt;  ///< of ticked candidates alone; nothing: none ran
};

}  // namespace calibscope
