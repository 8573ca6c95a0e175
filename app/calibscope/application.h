// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/command_line.h"

#include <QApplication>

#include <memory>

namespace calibscope::window {

enum class Display {
    Screen,  ///< whatever the desktop offers
    None,    ///< draws into memory: works where there is no display
};

/// The application object and its names. Make one, after the command line is parsed. Style,
/// font and palette come with applyTheme().
[[nodiscard]] std::unique_ptr<QApplication> makeApplication(Display display);

/// How long commands that nobody looks at wait for a byte of another machine.
constexpr int defaultSilentSeconds = 30;
/// --timeout.
[[nodiscard]] CommandOption silenceOption(int& seconds);

}  // namespace calibscope::window
