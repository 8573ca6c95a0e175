// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engine/process_guard.h"

namespace calibscope::engine {

/// Refuses this process the calls of the system that reading and computing do not need (seccomp):
/// sockets, programs, further processes, signals to others, tracing, memory that is both written
/// and run. They fail with EPERM, so that a library which only tries goes on. Threads, files and
/// plugins work. Needs PR_SET_NO_NEW_PRIVS.
[[nodiscard]] Guard guardCalls();

}  // namespace calibscope::engine
