#pragma once

#include <QString>
#include <QStringList>

namespace calibscope {

/// What starts an engine.
struct EngineProgram
{
    QString program;
    QStringList arguments;
    QString host = {};     ///< where the engine is, if the program connects to it; empty: here
    QString command = {};  ///< that is called there
};

}  // namespace calibscope
