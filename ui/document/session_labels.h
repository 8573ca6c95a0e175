#pragma once

#include "ui/document/session_document.h"

namespace calibscope {

/// Gives candidates of a session of version 1, where they were known by their labels, their ids. A
/// label that several candidates may have had ticks all of them; what an unknown label says stays
/// under it, without effect.
void idsFromLabels(SessionDocument& session);

}  // namespace calibscope
