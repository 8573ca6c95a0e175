// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/progress.h"
#include "core/protocol/host_messages.h"

namespace calibscope::engine {

/// This machine and its user, and what this program can be asked. What is not known is left empty.
/// Reads files of the system: to be called before the process gives up what it need not do.
[[nodiscard]] protocol::Hello helloOfThisHost();

/// A page of a folder's entries, by name. Entries that come and go in between may be reported twice or
/// not at all. Throws Error(Input) for what is not a folder or can't be read, Cancelled.
[[nodiscard]] protocol::FolderPage folderPage(const protocol::FolderRequest& request,
                                              const Progress& progress);

/// Throws Error(Input) for a file that is there and can't be read.
[[nodiscard]] protocol::IdentifiedFile identifiedFile(const protocol::IdentifyRequest& request);

/// Throws Error(Input) for what is not a file or can't be read, Cancelled.
[[nodiscard]] protocol::DigestedFile digestedFile(const protocol::DigestRequest& request,
                                                  const Progress& progress);

}  // namespace calibscope::engine
