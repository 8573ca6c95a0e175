#pragma once

#include <QKeySequence>
#include <QList>
#include <QString>

namespace calibscope {

/// Keys in Qt's portable form, parted by "; "; none for an empty text.
[[nodiscard]] inline QList<QKeySequence> parseKeys(const QString& text)
{
    return text.isEmpty() ? QList<QKeySequence>() : QKeySequence::listFromString(text);
}

}  // namespace calibscope
