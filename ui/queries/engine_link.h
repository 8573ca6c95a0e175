// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/protocol/frame_reader.h"
#include "ui/queries/engine.h"
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
struct Reply;
}  // namespace calibscope::protocol

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
    bool isSmall = false;     ///< several such may be on their way at a time
    /// Decodes on the link's thread; what it returns is run on the client's.
    std::function<Delivery(const EngineEnd&)> finish;
};

/// The thread side of EngineClient: owns the process, sends it jobs, watches it. One job at a time
/// is at work, but that small ones are on their way together; and the next one is sent without
/// waiting for the end of what was cancelled.
class EngineLink : public QObject
{
    Q_OBJECT

public:
    /// What finished jobs return is posted to that mailbox, which lives as long as the link.
    explicit EngineLink(Mailbox& deliveries);
    ~EngineLink() override;

    /// The way into the link's thread.
    Mailbox& letters() { return *m_letters; }

    /// Another one than before is started for the next job, when none is at work.
    void setProgram(EngineProgram program);
    /// For the jobs from now on.
    void setPatience(EngineWatch watch) { m_watch = watch; }
    /// Lets an engine go that has nothing to do; the next job starts another.
    void rest();
    /// The engine that is at work finishes first.
    void setCacheFolder(const QString& folder);
    void submit(EngineJob job);
    void cancel(quint64 request);
    /// What is at work is answered as lost; but where it was the line that fell silent, it is asked
    /// anew.
    void restart();

Q_SIGNALS:
    void progressed(quint64 request, quint64 done, quint64 total, const QString& what);
    void engineDied(const QString& sentence);
    void engineStalled(const QString& sentence);

private:
    /// A job that was sent and not answered.
    struct Sent
    {
        EngineJob job;
        bool isCancelling = false;
        int ticksSinceCancel = 0;
    };

    void startNext();
    [[nodiscard]] bool maySendNext() const;
    void sendNext();
    /// Answers those that wait first and have ended too many engines.
    void refuseDeadly();
    void startProcess();
    void readOutput();
    void readErrors();
    void takeFrame(const std::string& cbor);
    void takeProgress(const protocol::ProgressNote& note);
    void takePong(quint64 ping, const protocol::Reply& reply);
    void tick();
    /// A connection that is being made, for which nobody waits any more.
    void giveUpUnwanted();
    [[nodiscard]] bool isDeafToCancel(Sent& sent) const;
    void ping();
    void pingIfIdle();
    void watchEngine();
    void sayLineSilent(const Sent& sent);
    /// Whether nothing has come for so long that what was asked was given up.
    [[nodiscard]] bool giveUpSilent();

    void processFailedToStart();
    void processFinished(int code, QProcess::ExitStatus status);
    /// Gives the process up; its end is not waited for.
    void abandonProcess();
    /// The engine is gone: answers the job at work, or that one, and asks the others anew.
    struct Loss
    {
        QString who;
        QString how;
        quint64 culprit = 0;      ///< 0: the job at work
        bool isByRequest = true;  ///< what was asked may have caused it
    };
    void loseEngine(const Loss& loss);
    /// As its last signs of life tell, else the first: they are worked on in their order.
    [[nodiscard]] std::size_t placeAtWork(quint64 culprit) const;
    /// Puts a sent job before those that wait; one that was cancelled is answered.
    void askAnew(std::size_t place);
    /// Answers a job: as cancelled, if that was asked for.
    void endJob(std::size_t place, const EngineEnd& end);
    /// The one that may yet have a result; nullptr: none was sent.
    [[nodiscard]] const Sent* atWork() const;
    void failWaiting(const QString& sentence);
    /// What was sent and what waits: another engine would be no other.
    void refuseAll(const QString& sentence);
    [[nodiscard]] QString lastWords() const;
    [[nodiscard]] QString withLastWords(const QString& sentence) const;
    [[nodiscard]] QString engineName() const;
    /// Why it ended without a word.
    [[nodiscard]] QString endBeforeGreeting(int code, const QString& how) const;
    [[nodiscard]] bool isRemote() const { return !m_program.host.isEmpty(); }

    EngineProgram m_program;
    QString m_cacheFolder;      ///< empty: none
    bool m_isOutdated = false;  ///< the process was started with another one
    std::unique_ptr<QProcess> m_process;
    std::vector<std::unique_ptr<QProcess>> m_abandoned;  ///< killed, not yet known to have ended
    std::optional<protocol::FrameReader> m_frames;
    QByteArray m_errorTail;

    std::deque<EngineJob> m_waiting;
    std::deque<Sent> m_sent;  ///< in the order in which they were sent

    Mailbox& m_deliveries;
    Mailbox* m_letters = nullptr;
    QTimer m_timer;
    int m_ticks = 0;
    int m_unwantedTicks = 0;
    EngineWatch m_watch;
    bool m_isLineSilent = false;  ///< and that was reported
    int m_silentTicks = 0;        ///< of the watch, over all lines since the last byte
    DeadlyRequests m_deadly;
    QElapsedTimer m_clock;
    QTimer m_pause;  ///< before the next engine is started
    qint64 m_lastProgressMs = 0;
    QTimer m_idle;
    quint64 m_pingsSent = 0;
    quint64 m_pingsAnswered = 0;
    qint64 m_pingSentMs = 0;
    std::optional<qint64> m_roundTripMs;  ///< of the last ping; nothing: none was answered
    quint64 m_current = 0;                ///< job that the engine said it works on
};

}  // namespace calibscope
