// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <array>
#include <optional>

namespace calibscope {

/// Pages of an open dump, in the order of the work, which is that of their tabs and keys.
enum class Workspace {
    Summary,  ///< of the dump as a whole, while no tensor is selected
    Layers,   ///< where to look first
    Graph,    ///< the network
    Browse,
    Calibrators,
    Channels,
    Slice,    ///< where a tensor's values lie
    Compare,  ///< with a second dump
    Deploy,   ///< a model from the decisions
    Improve,  ///< remedies for layers
};

inline constexpr std::array allWorkspaces = {
    Workspace::Summary,     Workspace::Layers,   Workspace::Graph, Workspace::Browse,
    Workspace::Calibrators, Workspace::Channels, Workspace::Slice, Workspace::Compare,
    Workspace::Deploy,      Workspace::Improve};

/// Whether the page is about the network rather than one tensor.
[[nodiscard]] constexpr bool isOfNetwork(Workspace workspace)
{
    return workspace == Workspace::Layers || workspace == Workspace::Graph ||
           workspace == Workspace::Deploy || workspace == Workspace::Improve;
}

/// As on the command line and in settings: summary, layers, graph, browse, calibrators, channels,
/// slice, compare, deploy, improve.
[[nodiscard]] QString workspaceId(Workspace workspace);
/// Nothing for an unknown one.
[[nodiscard]] std::optional<Workspace> parseWorkspace(const QString& id);
/// As on its tab.
[[nodiscard]] QString workspaceTitle(Workspace workspace);

}  // namespace calibscope
