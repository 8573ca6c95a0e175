// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/document/document.h"
#include "ui/queries/remote_machines.h"
#include "ui/report/report_job.h"

#include <QObject>

#include <vector>

namespace calibscope {

class MessageBar;
class MessageLog;
class Preferences;

/// Writes reports on the shown dump, and copies programs in Python that compute its numbers.
class ReportController : public QObject
{
    Q_OBJECT

public:
    /// The bar that tells how far a report is belongs to `window`, which gives it a place. All must
    /// outlive this.
    ReportController(Document& document, Preferences& preferences, const RemoteMachines& machines,
                     MessageLog& log, QWidget& window);

    [[nodiscard]] MessageBar& bar() const { return *m_bar; }
    /// Asks for the parts and tensors of a report, with a dialog; the bar while one is being
    /// written. Into a folder inside `folder`, unless the user wants another.
    void askForReport(const std::vector<int>& filtered, const std::vector<int>& selected,
                      const QString& folder);
    [[nodiscard]] bool hasReport() const { return !m_run.lastReport().isEmpty(); }
    void openLast() const { m_run.openLast(); }
    /// The values alone where nothing else is known yet, else a menu of what can be recomputed.
    void copyPython();

private:
    Document& m_document;
    Preferences& m_preferences;
    const RemoteMachines& m_machines;
    KnownMachines m_known;  ///< of the report that is being written, in another thread
    QWidget& m_window;
    MessageBar* m_bar;
    ReportRun m_run;
};

}  // namespace calibscope
