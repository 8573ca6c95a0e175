// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/document/session_document.h"

#include <QStringList>

namespace calibscope {

/// What was decided in `now` that `saved` has not, or has otherwise, in words: "2 decisions",
/// "1 pin". Empty if and only if isSameWork().
[[nodiscard]] QStringList unsavedWork(const SessionDocument& saved, const SessionDocument& now);

}  // namespace calibscope
