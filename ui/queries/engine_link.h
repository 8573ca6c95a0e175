#pragma once

#include "core/protocol/frame_reader.h"
#include "ui/queries/deadly_requests.h"
#include "ui/queries/engine_watch.h"
#include "ui/queries/mailbox.h"

#include <QByteArray>
#include <QElapsedTimer>
#include <QObject>
#include <QProcess>
#include <QString>
#include <QStringList>
#include <QTimer>

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace calibscope::protocol {
struct ProgressNote;
}

namespace calibscope {

/// How a request ended, before its result is decoded.
struct EngineEnd
{
    enum class Kind { Result, Failed, Cancelled, Died };
    Kind kind = Kind::Failed;
    const nlohmann::json* result = nullptr;  ///< of Kind::Result
    QString sentence;                        ///< of Failed and Died
};

/// One request on its way through the link.
struct EngineJob
{
    using Delivery = std::function<void()>;

    quint64 id = 0;
    std::string frame;        ///< as it is sent
    std::size_t content = 0;  ///< the same for each request of the same
    QString subject;          ///< what is being read, for sentences: "conv1 of a.h5"
    /// Decodes on the link's thread; what it returns is run on the client's.
    std::function<Delivery(const EngineEnd&)> finish;
};

/// The thread side of EngineClient: owns the process, sends one job at a time, watches it.
class EngineLink : public QObject
{
    Q_OBJECT

public:
    /// What finished jobs return is posted to that mailbox, which lives as long as the link.
    explicit EngineLink(Mailbox& deliveries);
    ~EngineLink() override;

    /// The way into the link's thread.
    Mailbox& letters() { return *m_letters; }

    void setProgram(const QString& program, const QStringList& arguments);
    /// The engine that is at work finishes first.
    void setCacheFolder(const QString& folder);
    void submit(EngineJob job);
    void cancel(quint64 request);
    void restart();

Q_SIGNALS:
    void progressed(quint64 request, quint64 done, quint64 total, const QString& what);
    void engineDied(const QString& sentence);
    void engineStalled(const QString& sentence);

private:
    void startNext();
    /// Answers those that wait first and have ended too many engines.
    void refuseDeadly();
    void startProcess();
    void readOutput();
    void readErrors();
    void takeFrame(const std::string& cbor);
    void takeProgress(const protocol::ProgressNote& note);
    void tick();
    void ping();
    void watchEngine();

    void processFailedToStart();
    void processFinished(int code, QProcess::ExitStatus status);
    /// Gives the process up; its end is not waited for.
    void abandonProcess();
    /// The engine is gone: answers the job at work and goes on with a new engine.
    void loseEngine(const QString& how);
    /// Answers the job at work: as cancelled, if that was asked for.
    void endJob(const EngineEnd& end);
    void failWaiting(const QString& sentence);
    [[nodiscard]] QString lastWords() const;

    QString m_program;
    QStringList m_arguments;
    QString m_cacheFolder;      ///< empty: none
    bool m_isOutdated = false;  ///< the process was started with another one
    std::unique_ptr<QProcess> m_process;
    std::vector<std::unique_ptr<QProcess>> m_abandoned;  ///< killed, not yet known to have ended
    std::optional<protocol::FrameReader> m_frames;
    QByteArray m_errorTail;

    std::deque<EngineJob> m_waiting;
    std::optional<EngineJob> m_atWork;
    bool m_isCancelling = false;
    int m_ticksSinceCancel = 0;

    Mailbox& m_deliveries;
    Mailbox* m_letters = nullptr;
    QTimer m_timer;
    int m_ticks = 0;
    EngineWatch m_watch;
    DeadlyRequests m_deadly;
    QElapsedTimer m_clock;
    QTimer m_pause;  ///< before the next engine is started
    qint64 m_lastProgressMs = 0;
    quint64 m_pingsSent = 0;
    quint64 m_pingsAnswered = 0;
};

}  // namespace calibscope
