// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/protocol/messages.h"
#include "ui/document/session_document.h"
#include "ui/report/report_options.h"

#include <span>
#include <vector>

namespace calibscope {

/// Sets the files of a session and what it computes on all tensors: its chosen recipe, and the
/// calibrators that it ticked, added or changed, with their parameters, each as a recipe;
/// with addGains().
void addSession(ReportOptions& options, const SessionDocument& session);

/// Adds what the remedies that the session ticks were measured to gain.
void addGains(ReportOptions& options, const SessionDocument& session);

/// Decisions for single tensors, as recipes: the decisions with their remarks, and the
/// ranges set manually under the scheme that they have in the window. `dumps` go with those of the
/// session.
[[nodiscard]] std::vector<Recipe> decisionRecipes(const SessionDocument& session,
                                                  std::span<const protocol::DumpOpened> dumps);

}  // namespace calibscope
