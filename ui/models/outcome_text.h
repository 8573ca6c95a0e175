#pragma once

#include "ui/document/outcome_rows.h"

#include <QString>
#include <QStringList>

namespace calibscope {

/// "First bin: discarded", one for each setting of the calibrator, then scheme and granularity.
[[nodiscard]] QStringList settingLines(const Choice& choice);

/// What its reader should know: the rule's note, why there is no result, why a pick is odd, what is
/// estimated. As sentences without a full stop.
[[nodiscard]] QStringList noteLines(const OutcomeRow& row);

}  // namespace calibscope
