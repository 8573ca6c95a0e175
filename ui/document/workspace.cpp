// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/workspace.h"

#include <QCoreApplication>

#include <algorithm>

namespace calibscope {

QString workspaceId(Workspace workspace)
{
    switch (workspace) {
    case Workspace::Summary: return QStringLiteral("summary");
    case Workspace::Layers: return QStringLiteral("layers");
    case Workspace::Graph: return QStringLiteral("graph");
    case Workspace::Browse: return QStringLiteral("browse");
    case Workspace::Calibrators: return QStringLiteral("calibrators");
    case Workspace::Channels: return QStringLiteral("channels");
    case Workspace::Slice: return QStringLiteral("slice");
    case Workspace::Compare: return QStringLiteral("compare");
    case Workspace::Deploy: return QStringLiteral("deploy");
    case Workspace::Improve: return QStringLiteral("improve");
    }
    return {};
}

std::optional<Workspace> parseWorkspace(const QString& id)
{
    const auto found = std::ranges::find(allWorkspaces, id, workspaceId);
    return found == allWorkspaces.end() ? std::nullopt : std::optional(*found);
}

QString workspaceTitle(Workspace workspace)
{
    const auto tr = [](const char* text) { return QCoreApplication::translate("Workspace", text); };
    switch (workspace) {
    case Workspace::Summary: return tr("Summary");
    case Workspace::Layers: return tr("Layers");
    case Workspace::Graph: return tr("Graph");
    case Workspace::Browse: return tr("Browse");
    case Workspace::Calibrators: return tr("Calibrators");
    case Workspace::Channels: return tr("Channels");
    case Workspace::Slice: return tr("Slice");
    case Workspace::Compare: return tr("Compare");
    case Workspace::Deploy: return tr("Deploy");
    case Workspace::Improve: return tr("Improve");
    }
    return {};
}

}  // namespace calibscope
