// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>

namespace calibscope {

/// The command that starts an engine.
struct EngineProgram
{
    QString program;
    QStringList arguments;
    QString host = {};     ///< where the engine is, if the program connects to it; empty: here
    QString command = {};  ///< that is called there
    /// After so many seconds without a byte of that engine what was asked of it is given up, where
    /// nobody is there to be asked; 0: never.
    int mostSilentSeconds = 0;
};

}  // namespace calibscope
