#include "ui/queries/engine_link.h"

#include "core/protocol/envelope.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace calibscope {

namespace {

constexpr int tickMs = 50;
constexpr int cancelTicks = 4;
constexpr int watchTicks = EngineWatch::tickMs / tickMs;
constexpr qsizetype errorTailBytes = 64 * 1024;
constexpr int longestLastWords = 300;
/// Pings have ids beyond those of any request.
constexpr quint64 firstPing = quint64{1} << 63;

QString exitText(int code, QProcess::ExitStatus status)
{
    if (status == QProcess::NormalExit)
        return EngineLink::tr("ended with exit code %1").arg(code);
    // After a crash the code is the signal's number.
    return EngineLink::tr("ended by signal %1 (%2)").arg(code).arg(strsignal(code));
}

}  // namespace

EngineLink::EngineLink(Mailbox& deliveries)
    : m_deliveries(deliveries), m_letters(new Mailbox(this)), m_timer(this), m_pause(this)
{
    m_clock.start();
    m_pause.setSingleShot(true);
    connect(&m_pause, &QTimer::timeout, this, &EngineLink::startNext);
    m_timer.setInterval(tickMs);
    connect(&m_timer, &QTimer::timeout, this, &EngineLink::tick);
}

EngineLink::~EngineLink()
{
    constexpr int politeMs = 300;
    constexpr int killMs = 1000;
    if (m_process) {
        m_process->disconnect(this);
        m_process->closeWriteChannel();
        if (!m_process->waitForFinished(politeMs))
            m_process->kill();
        m_abandoned.push_back(std::move(m_process));
    }
    // A process that a signal can't end (it waits for a dead network disk) is left to itself: the
    // destructor of QProcess would wait 30 s for it.
    for (std::unique_ptr<QProcess>& process : m_abandoned)
        if (process->state() != QProcess::NotRunning && !process->waitForFinished(killMs))
            (void)process.release();
}

void EngineLink::setProgram(const QString& program, const QStringList& arguments)
{
    m_program = program;
    m_arguments = arguments;
}

void EngineLink::setCacheFolder(const QString& folder)
{
    m_isOutdated = m_process && folder != m_cacheFolder;
    m_cacheFolder = folder;
}

void EngineLink::submit(EngineJob job)
{
    m_waiting.push_back(std::move(job));
    startNext();
}

void EngineLink::cancel(quint64 request)
{
    if (m_atWork && m_atWork->id == request && !m_isCancelling) {
        m_isCancelling = true;
        m_ticksSinceCancel = 0;
        const std::string frame =
            protocol::toFrame(protocol::toJson(protocol::CancelRequest{request}));
        m_process->write(frame.data(), static_cast<qint64>(frame.size()));
        return;
    }
    const auto found = std::ranges::find(m_waiting, request, &EngineJob::id);
    if (found == m_waiting.end())
        return;
    m_deliveries.post(found->finish({.kind = EngineEnd::Kind::Cancelled}));
    m_waiting.erase(found);
}

void EngineLink::restart()
{
    if (!m_process)
        return;
    abandonProcess();
    loseEngine(tr("was restarted"));
}

void EngineLink::refuseDeadly()
{
    constexpr qint64 secondMs = 1000;
    while (!m_waiting.empty()) {
        const EngineJob& job = m_waiting.front();
        const qint64 refusedForMs = m_deadly.refusedForMs(job.content, m_clock.elapsed());
        if (refusedForMs == 0)
            return;
        m_deliveries.post(job.finish(
            {.kind = EngineEnd::Kind::Failed,
             .sentence = tr("%1 has ended the engine %2 times; it can be tried again in %3 s.")
                             .arg(job.subject)
                             .arg(DeadlyRequests::mostDeaths)
                             .arg(refusedForMs / secondMs + 1)}));
        m_waiting.pop_front();
    }
}

void EngineLink::startNext()
{
    if (m_atWork || m_pause.isActive())
        return;
    refuseDeadly();
    if (m_waiting.empty())
        return;
    if (m_process && m_isOutdated)
        abandonProcess();
    if (!m_process)
        startProcess();
    if (!m_process)
        return;  // it could not be started, and all jobs were told
    m_atWork = std::move(m_waiting.front());
    m_waiting.pop_front();
    m_process->write(m_atWork->frame.data(), static_cast<qint64>(m_atWork->frame.size()));
    m_watch.begin();
    m_timer.start();
}

void EngineLink::startProcess()
{
    m_frames.emplace(protocol::FrameReader::Start::AtPreamble);
    m_errorTail.clear();
    m_pingsSent = 0;
    m_pingsAnswered = 0;
    m_process = std::make_unique<QProcess>();
    connect(m_process.get(), &QProcess::readyReadStandardOutput, this, &EngineLink::readOutput);
    connect(m_process.get(), &QProcess::readyReadStandardError, this, &EngineLink::readErrors);
    connect(m_process.get(), &QProcess::finished, this, &EngineLink::processFinished);
    connect(m_process.get(), &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart)
            processFailedToStart();
    });
    m_isOutdated = false;
    QStringList arguments = m_arguments;
    if (!m_cacheFolder.isEmpty())
        arguments << QStringLiteral("--cache") << m_cacheFolder;
    m_process->start(m_program, arguments);
}

void EngineLink::readErrors()
{
    m_errorTail.append(m_process->readAllStandardError());
    m_errorTail = m_errorTail.right(errorTailBytes);
}

void EngineLink::readOutput()
{
    const QByteArray bytes = m_process->readAllStandardOutput();
    m_watch.sawByte();
    try {
        m_frames->feed({bytes.data(), static_cast<std::size_t>(bytes.size())});
        while (const std::optional<std::string> frame = m_frames->next())
            takeFrame(*frame);
    } catch (const std::exception& error) {
        abandonProcess();
        loseEngine(tr("sent an unreadable message (%1) and was ended").arg(error.what()));
    }
}

void EngineLink::takeFrame(const std::string& cbor)
{
    const protocol::ToClient message = protocol::toClientFromJson(protocol::parseCbor(cbor));
    if (const auto* note = std::get_if<protocol::ProgressNote>(&message))
        return takeProgress(*note);
    const auto& reply = std::get<protocol::Reply>(message);
    if (reply.id >= firstPing) {
        const protocol::Pong pong = protocol::pongFromJson(reply.result.value_or(protocol::Json()));
        m_pingsAnswered = reply.id - firstPing;
        m_watch.sawPong(pong.beats, pong.cpuMs);
        return;
    }
    // The id 0 is of a request that the engine could not read: of the only one there is.
    if (!m_atWork || (reply.id != m_atWork->id && reply.id != 0))
        return;
    m_deadly.noteAnswer(m_atWork->content);
    if (reply.failure)
        endJob({.kind = EngineEnd::Kind::Failed,
                .sentence = QString::fromStdString(reply.failure->message)});
    else if (reply.result)
        endJob({.kind = EngineEnd::Kind::Result, .result = &*reply.result});
    else
        endJob({.kind = EngineEnd::Kind::Cancelled});
    startNext();
}

/// Each note is an event in the window's queue, so that an engine that sends nothing else must not
/// fill it.
void EngineLink::takeProgress(const protocol::ProgressNote& note)
{
    constexpr qint64 leastMs = 20;
    constexpr std::size_t longestPlace = 200;
    const qint64 now = m_clock.elapsed();
    if (!m_atWork || m_atWork->id != note.id || now - m_lastProgressMs < leastMs)
        return;
    m_lastProgressMs = now;
    Q_EMIT progressed(note.id, note.done, note.total,
                      QString::fromStdString(note.what.substr(0, longestPlace)));
}

void EngineLink::tick()
{
    if (m_isCancelling && ++m_ticksSinceCancel > cancelTicks) {
        abandonProcess();
        loseEngine(tr("did not respond to Cancel"));
        return;
    }
    if (++m_ticks % watchTicks == 0)
        watchEngine();
}

void EngineLink::watchEngine()
{
    if (m_pingsAnswered == m_pingsSent)
        ping();
    QString stall;
    switch (m_watch.tick(isHeldBySignal(m_process->processId()))) {
    case EngineWatch::Verdict::Well: return;
    case EngineWatch::Verdict::Stopped:
        abandonProcess();
        loseEngine(tr("was suspended by a signal and then ended"));
        return;
    case EngineWatch::Verdict::Silent: stall = tr("has not answered"); break;
    case EngineWatch::Verdict::Waiting: stall = tr("has been waiting, perhaps for a disk,"); break;
    case EngineWatch::Verdict::Looping: stall = tr("has made no progress"); break;
    }
    constexpr int patienceSeconds = EngineWatch::patienceTicks * EngineWatch::tickMs / 1000;
    Q_EMIT engineStalled(tr("The engine %1 for %2 s while it works on %3.")
                             .arg(stall)
                             .arg(patienceSeconds)
                             .arg(m_atWork->subject));
}

void EngineLink::ping()
{
    const std::string frame =
        protocol::toFrame(protocol::toJson(protocol::PingRequest{firstPing + ++m_pingsSent}));
    m_process->write(frame.data(), static_cast<qint64>(frame.size()));
}

void EngineLink::processFailedToStart()
{
    const QString sentence = tr("The engine %1 could not be started: %2; reinstall Calibscope, its "
                                "two programs belong in one folder.")
                                 .arg(m_program, m_process->errorString());
    m_process.release()->deleteLater();  // it is its own signal that is handled here
    if (m_atWork)
        endJob({.kind = EngineEnd::Kind::Died, .sentence = sentence});
    failWaiting(sentence);
    Q_EMIT engineDied(sentence);
}

void EngineLink::processFinished(int code, QProcess::ExitStatus status)
{
    readErrors();
    const QString how = exitText(code, status);
    const bool hasSpoken = m_frames->hasStarted();
    m_process.release()->deleteLater();
    // A program that ends before its first word would do so again for each of the others.
    if (!hasSpoken)
        failWaiting(tr("The engine %1 %2 before it could be asked.").arg(m_program, how));
    loseEngine(how);
}

void EngineLink::abandonProcess()
{
    std::erase_if(m_abandoned,
                  [](const auto& process) { return process->state() == QProcess::NotRunning; });
    m_process->disconnect(this);
    m_process->kill();
    m_abandoned.push_back(std::move(m_process));
}

void EngineLink::loseEngine(const QString& how)
{
    if (!m_atWork)
        return;
    QString sentence = tr("The engine %1 while it worked on %2.").arg(how, m_atWork->subject);
    if (const QString words = lastWords(); !words.isEmpty())
        sentence += tr(" Its last output: %1").arg(words);
    const bool wasCancelling = m_isCancelling;
    if (!wasCancelling)
        m_deadly.noteDeath(m_atWork->content, m_clock.elapsed());
    endJob({.kind = EngineEnd::Kind::Died, .sentence = sentence});
    if (!wasCancelling)
        Q_EMIT engineDied(sentence);
    if (const qint64 pause = m_deadly.pauseMs(); pause > 0)
        m_pause.start(static_cast<int>(pause));
    startNext();
}

void EngineLink::endJob(const EngineEnd& end)
{
    const EngineEnd cancelled{.kind = EngineEnd::Kind::Cancelled};
    m_deliveries.post(m_atWork->finish(m_isCancelling ? cancelled : end));
    m_atWork.reset();
    m_isCancelling = false;
    m_timer.stop();
}

void EngineLink::failWaiting(const QString& sentence)
{
    const std::deque<EngineJob> jobs = std::exchange(m_waiting, {});
    for (const EngineJob& job : jobs)
        m_deliveries.post(job.finish({.kind = EngineEnd::Kind::Died, .sentence = sentence}));
}

QString EngineLink::lastWords() const
{
    const QString line = QString::fromLocal8Bit(m_errorTail).trimmed().section('\n', -1);
    return line.left(longestLastWords);
}

}  // namespace calibscope
