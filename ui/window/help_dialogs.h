// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/document/workspace.h"

#include <QString>

#include <optional>

class QWidget;

namespace calibscope {

class ShortcutChoice;

/// The tour of the window as Markdown that stands alone: its pictures are left out, a link to
/// another page is its words.
[[nodiscard]] QString helpText();

/// Opens the tour in a window of its own.
void showHelp(QWidget& parent);

/// Lists the actions with their keys, those of that page first.
void showShortcuts(QWidget& parent, const ShortcutChoice& shortcuts,
                   std::optional<Workspace> page = {});

/// Opens a window with versions and licences.
void showAbout(QWidget& parent);

}  // namespace calibscope
