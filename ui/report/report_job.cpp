// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/report/report_job.h"

#include "core/base/progress.h"
#include "ui/document/message_log.h"
#include "ui/plot/number_label.h"
#include "ui/queries/engine_client.h"
#include "ui/report/report_writer.h"
#include "ui/widgets/message_bar.h"

#include <QClipboard>
#include <QDesktopServices>
#include <QDir>
#include <QElapsedTimer>
#include <QFileInfo>
#include <QGuiApplication>
#include <QMetaObject>
#include <QMutexLocker>
#include <QThread>
#include <QUrl>

#include <algorithm>
#include <exception>
#include <utility>

namespace calibscope {

namespace {

int remarksOf(const report::Report& report)
{
    const auto unread = std::ranges::count_if(
        report.lines, [](const report::TensorLine& line) { return !line.problem.empty(); });
    const auto unopened = std::ranges::count_if(
        report.sources, [](const report::Source& source) { return !source.problem.empty(); });
    return static_cast<int>(unread + unopened) + static_cast<int>(report.offences.size());
}

/// The page or paper that a reader begins with; the folder where it is neither.
QString frontOf(const QString& folder)
{
    for (const char* name : {"index.html", "report.pdf"})
        if (const QFileInfo file{QDir(folder), QLatin1String(name)}; file.exists())
            return file.absoluteFilePath();
    return QDir(folder).absolutePath();
}

}  // namespace

ReportJob::ReportJob(QObject* parent, MakeEngine makeEngine)
    : QObject(parent), m_makeEngine(std::move(makeEngine))
{
    if (!m_makeEngine)
        m_makeEngine = [] { return std::make_unique<EngineClient>(); };
}

ReportJob::~ReportJob()
{
    if (m_thread == nullptr)
        return;
    cancel();
    m_thread->wait();
}

void ReportJob::start(const ReportOptions& options)
{
    m_isCancelled = false;
    m_thread = QThread::create([this, options] { m_ending = write(options); });
    m_thread->setParent(this);
    connect(m_thread, &QThread::finished, this, &ReportJob::tell);
    m_thread->start();
}

void ReportJob::cancel()
{
    const QMutexLocker lock(&m_mutex);
    m_isCancelled = true;
    if (m_calls != nullptr)
        QMetaObject::invokeMethod(m_calls, &EngineCalls::stop, Qt::QueuedConnection);
}

ReportJob::Ending ReportJob::write(const ReportOptions& options)
{
    const std::unique_ptr<Engine> engine = m_makeEngine();
    EngineCalls calls(*engine);
    {
        const QMutexLocker lock(&m_mutex);
        m_calls = &calls;
        if (m_isCancelled)
            calls.stop();
    }
    QElapsedTimer sinceTold;
    const auto observe = [&](std::size_t done, std::size_t total, const std::string& what) {
        constexpr qint64 pauseMs = 100;
        if (sinceTold.isValid() && sinceTold.elapsed() < pauseMs)
            return;
        sinceTold.start();
        Q_EMIT progressed(done, total, QString::fromStdString(what));
    };
    Ending ending;
    try {
        ending.remarks = remarksOf(ReportWriter(calls, options, observe).write());
        ending.folder = QString::fromStdString(options.folder);
    } catch (const Cancelled&) {
        ending = {};
    } catch (const std::exception& error) {
        ending.failure = QString::fromUtf8(error.what());
    }
    const QMutexLocker lock(&m_mutex);
    m_calls = nullptr;
    return ending;
}

void ReportJob::tell()
{
    m_thread->deleteLater();
    m_thread = nullptr;
    const Ending ending = std::exchange(m_ending, {});
    if (!ending.failure.isEmpty())
        Q_EMIT failed(ending.failure);
    else if (ending.folder.isEmpty())
        Q_EMIT cancelled();
    else
        Q_EMIT written(ending.folder, ending.remarks);
}

ReportRun::ReportRun(MessageBar& bar, MessageLog& log, QObject* parent,
                     ReportJob::MakeEngine makeEngine)
    : QObject(parent), m_bar(bar), m_log(log), m_job(nullptr, std::move(makeEngine))
{
    connect(&m_job, &ReportJob::progressed, this, &ReportRun::showProgress);
    connect(&m_job, &ReportJob::written, this, &ReportRun::showWritten);
    connect(&m_job, &ReportJob::failed, this, &ReportRun::showFailure);
    connect(&m_job, &ReportJob::cancelled, this, &ReportRun::showCancelled);
}

void ReportRun::start(const ReportOptions& options)
{
    m_bar.say(tr("Writing the report..."), {{tr("Ca&ncel"), [this] { m_job.cancel(); }}},
              MessageBar::Kind::Note);
    m_job.start(options);
}

void ReportRun::openLast() const
{
    if (!m_lastReport.isEmpty())
        QDesktopServices::openUrl(QUrl::fromLocalFile(m_lastReport));
}

void ReportRun::showProgress(quint64 done, quint64 total, const QString& what)
{
    m_bar.setSentence(total == 0 ? tr("Writing the report: opening %1").arg(what)
                                 : tr("Writing the report: %1 of %2, %3")
                                       .arg(countLabel(done + 1), countLabel(total), what));
}

void ReportRun::showWritten(const QString& folder, int remarks)
{
    const QString path = QDir::toNativeSeparators(QDir(folder).absolutePath());
    QString sentence = tr("Report written to %1.").arg(path);
    if (remarks > 0)
        sentence +=
            QStringLiteral(" ") + countText(static_cast<std::uint64_t>(remarks),
                                            tr("1 problem is listed on its first page."),
                                            tr("%1 problems are listed on its first page."));
    m_log.add(MessageLog::Kind::Note, sentence);
    m_lastReport = frontOf(folder);
    m_bar.say(
        sentence,
        {{tr("Open &report"), [this] { openLast(); }},
         {tr("Open fol&der"), [path] { QDesktopServices::openUrl(QUrl::fromLocalFile(path)); }},
         {tr("Copy pat&h"), [path] { QGuiApplication::clipboard()->setText(path); }}},
        remarks > 0 ? MessageBar::Kind::Warning : MessageBar::Kind::Note);
    Q_EMIT ended();
}

void ReportRun::showFailure(const QString& sentence)
{
    const QString text = tr("No report was written. %1").arg(sentence);
    m_log.add(MessageLog::Kind::Problem, text);
    m_bar.say(text, {}, MessageBar::Kind::Problem);
    Q_EMIT ended();
}

void ReportRun::showCancelled()
{
    m_bar.say(tr("Report cancelled; no files were written."), {}, MessageBar::Kind::Success);
    Q_EMIT ended();
}

}  // namespace calibscope
