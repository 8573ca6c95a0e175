#include "ui/document/identity_changes.h"

#include "ui/plot/number_label.h"
#include "ui/theme/translate.h"

#include <QStringList>

namespace calibscope {

QString identityChanges(const FileIdentity& was, const FileIdentity& is)
{
    if (was.headerSha256.empty() || is.headerSha256.empty())
        return {};
    QStringList changes;
    if (was.bytes != is.bytes)
        changes += tr("size from %1 to %2 bytes").arg(countLabel(was.bytes), countLabel(is.bytes));
    if (was.modified != is.modified)
        changes +=
            tr("time from %1 to %2")
                .arg(QString::fromStdString(was.modified), QString::fromStdString(is.modified));
    if (was.headerSha256 != is.headerSha256)
        changes += tr("header");
    else if (!changes.isEmpty())
        changes += tr("not the header");
    return changes.join(QStringLiteral(", "));
}

}  // namespace calibscope
