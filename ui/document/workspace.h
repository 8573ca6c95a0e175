// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <array>
#include <optional>

namespace calibscope {

/// Pages of an open dump.
enum class Workspace {
    Summary,  ///< of the dump as a whole, while no tensor is selected
    Browse,
    Calibrators,
    Channels,
    Compare,  ///< with a second dump
    Deploy,   ///< a model from the decisions
    Layers,   ///< where to look first
    Slice,    ///< where a tensor's values lie
    Graph,    ///< the network
    Improve,  ///< remedies for layers
};

inline constexpr std::array allWorkspaces = {
    Workspace::Summary, Workspace::Browse, Workspace::Calibrators, Workspace::Channels,
    Workspace::Compare, Workspace::Deploy, Workspace::Layers,      Workspace::Slice,
    Workspace::Graph,   Workspace::Improve};

/// As on the command line and in settings: summary, browse, calibrators, channels, compare, deploy,
/// layers, slice, graph, improve.
[[nodiscard]] QString workspaceId(Workspace workspace);
/// Nothing for an unknown one.
[[nodiscard]] std::optional<Workspace> parseWorkspace(const QString& id);
/// As on its tab.
[[nodiscard]] QString workspaceTitle(Workspace workspace);

}  // namespace calibscope
