// What MainWindow says in its log and of a file that changes under it.
#include "ui/document/previews.h"
#include "ui/document/questions.h"
#include "ui/plot/number_label.h"
#include "ui/widgets/message_bar.h"
#include "ui/window/internal_error.h"
#include "ui/window/main_window.h"

#include <QEvent>
#include <QFileInfo>

namespace calibscope {

using Kind = MessageLog::Kind;

void MainWindow::connectLog()
{
    connect(&m_session, &Document::dumpChanged, this, &MainWindow::logDumpState);
    connect(&m_session.questions(), &Questions::engineDied, this,
            [this](const QString& sentence) { m_log.add(Kind::Problem, sentence); });
    connect(&m_session.questions(), &Questions::engineStalled, this,
            [this](const QString& sentence) { m_log.add(Kind::Warning, sentence); });
    connect(&m_session.previews(), &Previews::failed, this,
            [this](int tensor, const QString& sentence) {
                const std::string& name =
                    m_session.tensors().at(static_cast<std::size_t>(tensor)).name;
                m_log.add(Kind::Warning,
                          QStringLiteral("%1: %2").arg(QString::fromStdString(name), sentence));
            });
    connect(&m_session.questions(), &Questions::viewChanged, this, [this] {
        const TensorInfo* tensor = m_session.selectedTensor();
        if (tensor && m_session.questions().reader().state() == ViewReader::State::Failed)
            m_log.add(Kind::Problem,
                      QStringLiteral("%1: %2").arg(QString::fromStdString(tensor->name),
                                                   m_session.questions().reader().problem()));
    });
}

void MainWindow::logDumpState()
{
    if (m_session.dumpState() == Document::DumpState::Failed)
        m_log.add(Kind::Problem, m_session.dumpProblem());
    if (m_session.dumpState() != Document::DumpState::Open)
        return;
    m_log.add(Kind::Note, countText(m_session.tensors().size(), tr("%1 opened: 1 tensor."),
                                    tr("%2 opened: %1 tensors."))
                              .arg(m_session.path()));
    for (const std::string& warning : m_session.dump().warnings)
        m_log.add(Kind::Warning, QString::fromStdString(warning));
}

void MainWindow::connectFileWatch()
{
    connect(&m_session, &Document::dumpChanged, this, [this] {
        if (m_session.dumpState() == Document::DumpState::Open)
            m_fileWatch.watch(m_session.path());
        else if (m_session.dumpState() != Document::DumpState::Opening)
            m_fileWatch.watch({});
    });
    connect(&m_fileWatch, &FileWatch::changed, this, [this] { sayFileChanged(false); });
    connect(&m_fileWatch, &FileWatch::disappeared, this, [this] { sayFileChanged(true); });
}

/// The title keeps saying it when the bar is gone.
void MainWindow::sayFileChanged(bool isGone)
{
    const QString name = QFileInfo(m_session.path()).fileName();
    const QString sentence =
        isGone
            ? tr("%1 no longer exists. What was read remains available; nothing more can be read.")
                  .arg(name)
            : tr("%1 has changed on disk. The numbers shown are from before the change.").arg(name);
    m_titleNote = isGone ? tr("no longer exists") : tr("changed on disk");
    showTitle();
    m_log.add(Kind::Warning, sentence);
    m_isAboutEngine = false;
    m_messageBar->say(sentence,
                      {{tr("Reload"), [this] { m_session.reload(); }}, {tr("Keep"), [] {}}});
}

void MainWindow::reportInternalError(const QString& error)
{
    m_log.add(Kind::Problem, tr("Internal error: %1").arg(error));
    m_keeper.autosave().keepNow();
    showInternalError(this, errorReport(error, m_log.text()));
}

/// Some file systems don't tell of changes: who comes back to the window sees the present state.
void MainWindow::changeEvent(QEvent* event)
{
    QMainWindow::changeEvent(event);
    if (event->type() == QEvent::ActivationChange && isActiveWindow())
        m_fileWatch.check();
}

}  // namespace calibscope
