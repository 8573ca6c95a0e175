// How MainWindow writes reports, and copies programs in Python.
#include "ui/document/python_choices.h"
#include "ui/panels/tensor_panel.h"
#include "ui/report/report_dialog.h"
#include "ui/report/report_job.h"
#include "ui/widgets/message_bar.h"
#include "ui/window/main_window.h"

#include <QApplication>
#include <QClipboard>
#include <QCursor>
#include <QMenu>

namespace calibscope {

void MainWindow::connectReportActions()
{
    m_reportRun = new ReportRun(*m_reportBar, m_log, this);
    connect(&m_actions[ActionId::Report], &QAction::triggered, this, &MainWindow::askForReport);
    connect(&m_actions[ActionId::CopyPython], &QAction::triggered, this, &MainWindow::copyPython);
}

void MainWindow::askForReport()
{
    if (m_reportRun->isRunning()) {
        m_reportBar->show();
        return;
    }
    auto* dialog =
        new ReportDialog(reportSubject(m_session, m_tensorPanel->shown().shownTensors()), this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setChoices(m_preferences.reportChoices());
    connect(dialog, &QDialog::accepted, this, [this, dialog] {
        m_preferences.setReportChoices(dialog->choices());
        m_reportRun->start(dialog->options());
    });
    dialog->open();
}

/// The values alone where nothing else is known yet, else a menu of what can be recomputed.
void MainWindow::copyPython()
{
    const std::vector<PythonChoice> choices = pythonChoices(m_session);
    if (choices.size() == 1)
        QApplication::clipboard()->setText(choices.front().code);
    if (choices.size() < 2)
        return;
    auto* menu = new QMenu(this);
    menu->setObjectName(QStringLiteral("copy-python"));
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->addSection(tr("Copy as Python"));
    for (const PythonChoice& choice : choices)
        connect(menu->addAction(choice.title), &QAction::triggered, this,
                [code = choice.code] { QApplication::clipboard()->setText(code); });
    menu->popup(QCursor::pos());
}

}  // namespace calibscope
