// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/queries/tool_run.h"

#include <QCoreApplication>
#include <QRegularExpression>

#include <utility>

namespace calibscope {

namespace {

constexpr int patienceMs = 3000;

}  // namespace

ToolRun::ToolRun(QObject* parent)
    : QObject(parent), m_program(QCoreApplication::applicationDirPath() + QStringLiteral("/calib"))
{
    m_patience.setSingleShot(true);
    m_patience.setInterval(patienceMs);
    connect(&m_patience, &QTimer::timeout, this, [this] {
        if (m_process)
            m_process->kill();
    });
}

ToolRun::~ToolRun()
{
    if (!m_process)
        return;
    m_process->disconnect(this);
    m_process->terminate();  // it ends its own programs, and removes what is not whole
    if (!m_process->waitForFinished(patienceMs)) {
        m_process->kill();
        m_process->waitForFinished(patienceMs);
    }
}

void ToolRun::start(const QStringList& arguments)
{
    Q_ASSERT(!m_process);
    m_isCancelled = false;
    m_errors.clear();
    m_said.clear();
    m_process = std::make_unique<QProcess>();
    connect(m_process.get(), &QProcess::readyReadStandardError, this, &ToolRun::readErrors);
    connect(m_process.get(), &QProcess::finished, this, [this](int, QProcess::ExitStatus status) {
        end(m_isCancelled                                ? ToolEnd::Kind::Cancelled
            : status == QProcess::ExitStatus::NormalExit ? ToolEnd::Kind::Exited
                                                         : ToolEnd::Kind::Died);
    });
    connect(m_process.get(), &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error != QProcess::FailedToStart)
            return;
        m_said << tr("%1 could not be started: %2").arg(m_program, m_process->errorString());
        end(ToolEnd::Kind::Died);
    });
    m_process->setStandardInputFile(QProcess::nullDevice());
    m_process->start(m_program, arguments);
}

QString withoutOptions(QString sentence)
{
    static const QRegularExpression hint(QStringLiteral("\\s*\\([^()]*--[a-z][^()]*\\)"));
    return sentence.remove(hint);
}

void ToolRun::cancel()
{
    if (!m_process || m_isCancelled)
        return;
    m_isCancelled = true;
    m_process->terminate();
    m_patience.start();
}

void ToolRun::readErrors()
{
    m_errors += m_process->readAllStandardError();
    for (qsizetype lineEnd = m_errors.indexOf('\n'); lineEnd >= 0;
         lineEnd = m_errors.indexOf('\n')) {
        const QString line = QString::fromUtf8(m_errors.left(lineEnd));
        m_errors.remove(0, lineEnd + 1);
        takeLine(line);
    }
}

void ToolRun::takeLine(const QString& line)
{
    const QString progress = QStringLiteral("progress: ");
    const QString name = QStringLiteral("calib: ");
    if (line.startsWith(progress))
        Q_EMIT progressed(line.mid(progress.size()));
    else if (!line.trimmed().isEmpty())
        m_said << withoutOptions(line.startsWith(name) ? line.mid(name.size()) : line);
}

void ToolRun::end(ToolEnd::Kind kind)
{
    m_patience.stop();
    readErrors();
    if (!m_errors.isEmpty())
        takeLine(QString::fromUtf8(std::exchange(m_errors, {})));
    ToolEnd ended{.kind = kind,
                  .exitCode = m_process->exitCode(),
                  .output = m_process->readAllStandardOutput(),
                  .said = m_said.join(u'\n')};
    m_process.release()->deleteLater();  // this is a slot of it
    Q_EMIT finished(ended);
}

}  // namespace calibscope
