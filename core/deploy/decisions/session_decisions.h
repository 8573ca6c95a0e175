// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/deploy/decisions/decisions.h"
#include "core/recipes/outcome.h"
#include "core/tensor/layout_override.h"

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace calibscope::deploy {

/// A session's part for one of its dumps, as far as it leaves Calibscope. Tensors by their path.
struct SessionDecisions
{
    std::string path;                       ///< of the dump
    std::uint64_t bytes = 0;                ///< its size when it was read; 0: not stated
    std::string headerSha256;               ///< of its first headerBytes then; empty: not stated
    std::map<std::string, Choice> choices;  ///< that were accepted
    std::map<std::string, LayoutOverride> understood;  ///< where it is to be another than the
                                                       ///< file says
    std::set<std::string> excluded;                    ///< tensors that the user left out
};

/// The decisions of a session's dumps, in its order, from the JSON of a session file; `origin` is
/// its path, from whose folder relative paths are taken. Throws Error(Input), a sentence that names
/// the place, for what is not a session, is of a newer version or of a wrong type.
[[nodiscard]] std::vector<SessionDecisions> sessionDecisions(std::string_view json,
                                                             const std::string& origin);

/// The same of a file. Throws Error(Input) also for one of more than 16 MiB, and for what is no
/// regular file.
[[nodiscard]] std::vector<SessionDecisions> readSessionDecisions(const std::string& path);

/// Decisions on that dump, computed. It is the session's dump of the same file, else the one
/// with the same size and beginning (of the same name first). Warns where the file is not as it was
/// then, and of decisions on tensors that the session excludes. A decision on a tensor that the
/// dump does not have is a problem. Throws Error(Input) where none of the session's dumps is that
/// one. The options' `understood` is not used: the session's is.
[[nodiscard]] Decisions decidedBy(const DumpFile& dump,
                                  const std::vector<SessionDecisions>& session,
                                  const std::string& origin, DecisionOptions options = {});

}  // namespace calibscope::deploy
