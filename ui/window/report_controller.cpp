// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/report_controller.h"

#include "ui/document/python_choices.h"
#include "ui/queries/engine_router.h"
#include "ui/report/report_dialog.h"
#include "ui/widgets/message_bar.h"
#include "ui/window/preferences.h"

#include <QApplication>
#include <QClipboard>
#include <QCursor>
#include <QMenu>

#include <utility>

namespace calibscope {

ReportController::ReportController(Document& document, Preferences& preferences,
                                   const RemoteMachines& machines, MessageLog& log, QWidget& window)
    : m_document(document),
      m_preferences(preferences),
      m_machines(machines),
      m_window(window),
      m_bar(new MessageBar(&window)),
      m_run(*m_bar, log, nullptr, [this] { return makeRouter(m_known); })
{}

void ReportController::askForReport(const std::vector<int>& filtered,
                                    const std::vector<int>& selected, const QString& folder)
{
    if (m_run.isRunning()) {
        m_bar->show();
        return;
    }
    ReportSubject subject = reportSubject(m_document, filtered, selected);
    subject.folder = folder;
    auto* dialog = new ReportDialog(subject, &m_window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setChoices(m_preferences.reportChoices());
    connect(dialog, &QDialog::accepted, this, [this, dialog] {
        m_preferences.setReportChoices(dialog->choices());
        m_known = m_machines.known();
        m_run.start(dialog->options());
    });
    dialog->open();
}

void ReportController::copyPython()
{
    const std::vector<PythonChoice> choices = pythonChoices(m_document);
    if (choices.size() == 1)
        QApplication::clipboard()->setText(choices.front().code);
    if (choices.size() < 2)
        return;
    auto* menu = new QMenu(&m_window);
    menu->setObjectName(QStringLiteral("copy-python"));
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->addSection(tr("Copy as Python"));
    for (const PythonChoice& choice : choices)
        connect(menu->addAction(choice.title), &QAction::triggered, this,
                [code = choice.code] { QApplication::clipboard()->setText(code); });
    menu->popup(QCursor::pos());
}

}  // namespace calibscope
