// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QRegularExpression>
#include <QString>

#include <string>

namespace calibscope::test {

/// A PDF but for its time and id, which newer versions of Qt write in several places.
inline std::string withoutTimeAndId(const std::string& pdf)
{
    static const QRegularExpression varying(QStringLiteral(
        "D:\\d{14}|\\d{4}-\\d\\d-\\d\\dT[\\d:]{8}|uuid:[-0-9a-f]{36}|/ID \\[[^\\]]*\\]"));
    return QString::fromLatin1(pdf.data(), static_cast<qsizetype>(pdf.size()))
        .remove(varying)
        .toStdString();
}

}  // namespace calibscope::test
