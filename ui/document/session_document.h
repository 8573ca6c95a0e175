// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/file_identity.h"
#include "core/base/whole_file.h"
#include "core/recipes/session_format.h"
#include "ui/document/workbench.h"

#include <QString>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace calibscope {

/// A dump of a session, and what was decided on its tensors.
struct SessionDump
{
    FileIdentity identity;     ///< when it was read; its path is absolute
    bool isRecording = false;  ///< it was being recorded then
    /// Other files that it points to were read. In a session file it is a request: the right is
    /// the user's (ExternalRights).
    bool allowsExternal = false;
    std::string selected;  ///< path of the selected tensor; empty: none
    Workbench own;         ///< its part of a workbench, see ownPart()
    bool operator==(const SessionDump&) const = default;
};

/// How the window is laid out.
struct SessionLayout
{
    std::string page;    ///< id of the Workspace for a tensor
    std::string view;    ///< id of the view of Calibrators; empty: as it is
    std::string docks;   ///< bytes, as Qt packs them
    std::string card;    ///< id of the open one; empty: none is
    std::string filter;  ///< of the list of tensors
    std::string list;    ///< "tree" or "flat"; empty: as it is
    std::string model;   ///< ONNX, that the dump was recorded from; empty: not chosen
    std::string output;  ///< likewise, where the quantized one is written
    bool operator==(const SessionLayout&) const = default;
};

/// All that a session file says: the dumps of a window, what was decided on each of them and on all
/// alike. What is computed for one of them is joined(dump.own, shared).
struct SessionDocument
{
    std::vector<SessionDump> dumps;
    std::size_t shown = 0;  ///< in dumps; without meaning if there are none
    Workbench shared;       ///< the part of a workbench that all dumps share
    SessionLayout layout;
    std::string autosaveOf;  ///< absolute path of the session file that this is a later state of;
                             ///< empty: it was never saved, or is that file
    std::string autosaveOfSha256;  ///< of that file's content when it was read or written last
    bool operator==(const SessionDocument&) const = default;
};

/// As JSON with sorted keys and a line end at its end. Paths of dumps are relative to `folder`,
/// an absolute one, and absolute as well.
[[nodiscard]] std::string sessionJson(const SessionDocument& document, const std::string& folder);

/// Contents of that JSON; `origin` is the session file's path, from whose folder relative paths are
/// taken. A dump is looked for there first, then at its absolute path; it may be at neither.
/// Members that are not known are left alone. Throws Error(Input), a sentence that names the place,
/// for what is not a session, is of another version or of a wrong type.
[[nodiscard]] SessionDocument sessionFromJson(std::string_view json, const std::string& origin);

/// Nothing was decided in one that was not in the other: what is selected, zoomed or laid out does
/// not count.
[[nodiscard]] bool isSameWork(const SessionDocument& one, const SessionDocument& other);

/// Extension of a session file.
inline const QString sessionSuffix = QStringLiteral(".calsession");

[[nodiscard]] bool isSessionFile(const QString& path);

/// All bytes of a session file. Throws Error(Input), a sentence with the path: also for one of more
/// than 16 MiB, and for what is not a regular file.
[[nodiscard]] std::string sessionText(const QString& path);

/// Reads a whole session file; needs no window. Throws Error(Input), a sentence with the path.
[[nodiscard]] SessionDocument readSession(const QString& path);

/// Writes a file of another name and renames it: whatever fails, there is the former file or the
/// whole new one. Throws Error(Output), a sentence with the path and the system's reason.
void writeSession(const SessionDocument& document, const QString& path);

/// Writes a file of another name and renames it: whatever fails, there is the former file or the
/// whole new one. Throws Error(Output), a sentence with the path and the system's reason.
void writeWhole(const QString& path, std::string_view bytes, WholeFileOptions options = {});

}  // namespace calibscope
