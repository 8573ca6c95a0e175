#include "ui/report/report_run.h"

#include "ui/document/message_log.h"
#include "ui/plot/number_label.h"
#include "ui/widgets/message_bar.h"

#include <QClipboard>
#include <QDesktopServices>
#include <QDir>
#include <QGuiApplication>
#include <QUrl>

#include <utility>

namespace calibscope {

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
    m_bar.say(tr("Writing the report..."), {{tr("Cancel"), [this] { m_job.cancel(); }}});
    m_job.start(options);
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
    m_bar.say(
        sentence,
        {{tr("Open folder"), [path] { QDesktopServices::openUrl(QUrl::fromLocalFile(path)); }},
         {tr("Copy path"), [path] { QGuiApplication::clipboard()->setText(path); }}});
    Q_EMIT ended();
}

void ReportRun::showFailure(const QString& sentence)
{
    const QString text = tr("No report was written. %1").arg(sentence);
    m_log.add(MessageLog::Kind::Problem, text);
    m_bar.say(text);
    Q_EMIT ended();
}

void ReportRun::showCancelled()
{
    m_bar.say(tr("Report cancelled; no files were written."));
    Q_EMIT ended();
}

}  // namespace calibscope
