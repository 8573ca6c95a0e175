// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/queries/addresses.h"

#include "core/base/error.h"
#include "core/base/location.h"

#include <QDir>
#include <QFileInfo>

#include <optional>

namespace calibscope {

namespace {

/// Nothing for what is not an address, or a damaged one.
std::optional<Location> farLocation(const QString& path)
{
    if (!isFarAway(path))
        return std::nullopt;
    try {
        return parseLocation(path.toStdString());
    } catch (const Error&) {
        return std::nullopt;
    }
}

}  // namespace

bool isFarAway(const QString& path)
{
    return isAddress(path.toStdString());
}

QString wholePath(const QString& path)
{
    if (!isFarAway(path)) {
        QString absolute = QFileInfo(path).absoluteFilePath();
        while (absolute.size() > 1 && absolute.endsWith(QLatin1Char('/')))
            absolute.chop(1);  // of a folder, which would have no name
        return absolute;
    }
    const std::optional<Location> location = farLocation(path);
    return location ? QString::fromStdString(location->address()) : path;
}

QString machineOf(const QString& path)
{
    const std::optional<Location> location = farLocation(path);
    return location ? QString::fromStdString(location->machine()) : QString();
}

QString pathThere(const QString& path)
{
    const std::optional<Location> location = farLocation(path);
    return location ? QString::fromStdString(location->path) : path;
}

QString folderHere(const QString& path)
{
    return isFarAway(path) ? QDir::homePath() : QFileInfo(path).absolutePath();
}

}  // namespace calibscope
