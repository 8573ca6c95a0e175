#pragma once

#include "ui/document/session_document.h"

namespace calibscope {

/// Lets the candidates of a session that 0.1.0 wrote compute what they computed then, although the
/// calibrator's defaults are others now. What the file states with its settings (edits, added
/// candidates, decisions) means the same anyway. A standard candidate without an edit gets one; one
/// that a recipe no longer gives is added if the session names it.
void keepFormerDefaults(SessionDocument& document);

}  // namespace calibscope
