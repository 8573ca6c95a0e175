// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/queries/engine.h"
#include "ui/report/report_options.h"

#include <QMutex>
#include <QObject>
#include <QString>

#include <functional>
#include <memory>

class QThread;

namespace calibscope {

class EngineCalls;

/// Writes a report in a thread and with an engine of its own. One at a time.
class ReportJob : public QObject
{
    Q_OBJECT

public:
    /// `makeEngine` is called in the thread; by default it gives an EngineClient.
    using MakeEngine = std::function<std::unique_ptr<Engine>()>;

    explicit ReportJob(QObject* parent = nullptr, MakeEngine makeEngine = {});
    ~ReportJob() override;  ///< gives up what is being written

    /// Requires that none is being written.
    void start(const ReportOptions& options);
    /// Nothing is left of what was written then.
    void cancel();
    [[nodiscard]] bool isRunning() const { return m_thread != nullptr; }

Q_SIGNALS:
    void progressed(quint64 done, quint64 total, const QString& what);
    /// `remarks`: tensors that could not be read, gates that failed.
    void written(const QString& folder, int remarks);
    void failed(const QString& sentence);
    void cancelled();

private:
    /// How it ended.
    struct Ending
    {
        QString folder;
        int remarks = 0;
        QString failure;  ///< empty and no folder: cancelled
    };

    [[nodiscard]] Ending write(const ReportOptions& options);
    void tell();

    MakeEngine m_makeEngine;
    QThread* m_thread = nullptr;
    Ending m_ending;  ///< the thread's until it is over
    QMutex m_mutex;
    EngineCalls* m_calls = nullptr;  ///< guarded by m_mutex
    bool m_isCancelled = false;      ///< guarded by m_mutex
};

class MessageBar;
class MessageLog;

/// Writes reports in the background and says in a bar how far it is, and where the report is then.
class ReportRun : public QObject
{
    Q_OBJECT

public:
    ReportRun(MessageBar& bar, MessageLog& log, QObject* parent = nullptr,
              ReportJob::MakeEngine makeEngine = {});

    [[nodiscard]] bool isRunning() const { return m_job.isRunning(); }
    /// Requires that none is being written.
    void start(const ReportOptions& options);
    void cancel() { m_job.cancel(); }
    /// File to open of the last written report; empty: none was written.
    [[nodiscard]] const QString& lastReport() const { return m_lastReport; }
    void openLast() const;

Q_SIGNALS:
    void ended();

private:
    void showProgress(quint64 done, quint64 total, const QString& what);
    void showWritten(const QString& folder, int remarks);
    void showFailure(const QString& sentence);
    void showCancelled();

    MessageBar& m_bar;
    MessageLog& m_log;
    ReportJob m_job;
    QString m_lastReport;
};

}  // namespace calibscope
