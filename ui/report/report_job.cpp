#include "ui/report/report_job.h"

#include "core/base/progress.h"
#include "ui/queries/engine_client.h"
#include "ui/report/report_writer.h"

#include <QElapsedTimer>
#include <QMetaObject>
#include <QMutexLocker>
#include <QThread>

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

}  // namespace calibscope
