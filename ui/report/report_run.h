#pragma once

#include "ui/report/report_job.h"

#include <QObject>

namespace calibscope {

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
};

}  // namespace calibscope
