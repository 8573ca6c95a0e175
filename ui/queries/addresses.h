// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace calibscope {

/// Paths of files as the window has them: of this machine's files absolute, of others' addresses as
/// Location::address() prints them.

/// Whether the file lies on another machine.
[[nodiscard]] bool isFarAway(const QString& path);

/// A path made absolute; an address as it is printed. One that is none stays as it is, and is reported
/// where it is opened.
[[nodiscard]] QString wholePath(const QString& path);

/// Location::machine(), which is empty for this machine and for an address that is none.
[[nodiscard]] QString machineOf(const QString& path);

/// The path for programs on the file's own machine.
[[nodiscard]] QString pathThere(const QString& path);

/// The folder of this machine that a file dialog begins in: the file's own, for a file that lies
/// elsewhere the home folder.
[[nodiscard]] QString folderHere(const QString& path);

}  // namespace calibscope
