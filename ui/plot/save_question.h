#pragma once

#include <QString>
#include <QStringList>

class QWidget;

namespace calibscope {

/// Asks for a file to write; empty: the user left. `proposed` may have a folder. The first of
/// `kinds`, such as "CSV (*.csv)", is chosen; with another one the name takes its suffix, and a
/// name without a suffix gets it.
[[nodiscard]] QString askWhereToSave(QWidget* parent, const QString& title, const QString& proposed,
                                     const QStringList& kinds);

}  // namespace calibscope
