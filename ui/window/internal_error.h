// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <functional>

class QWidget;

namespace calibscope {

/// Does the work; an exception that nobody caught is reported as text, and `otherwise` returned.
bool guarded(const std::function<bool()>& work, const std::function<void(const QString&)>& report,
             bool otherwise = false);

/// Report for a user to send to the developers: versions, the error, the last messages.
[[nodiscard]] QString errorReport(const QString& error, const QString& messages);

/// Says that something went wrong inside the application, with the report to be copied. The window
/// goes on. While it is shown, further reports are appended to it.
void showInternalError(QWidget* parent, const QString& report);

}  // namespace calibscope
