// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCoreApplication>

namespace calibscope {

/// The text in the user's language: tr() for what is not a QObject.
[[nodiscard]] inline QString tr(const char* text)
{
    return QCoreApplication::translate("calibscope", text);
}

}  // namespace calibscope
