// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/queries/engine_link.h"

#include "core/protocol/envelope.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <tuple>
#include <utility>

namespace calibscope {

namespace {

constexpr int tickMs = 50;
constexpr int secondMs = 1000;
constexpr int cancelTicks = 4;
/// A cancel, its answer, and a round trip for what is on its way and slow.
constexpr qint64 cancelRoundTrips = 3;
constexpr int idlePingMs = 15000;
/// To be sent at a time: here one at work and the next one, so that what comes after waits for
/// little; far away as many as keep the engine busy while answers travel.
constexpr std::size_t mostSmallHere = 2;
constexpr std::size_t mostSmallFar = 8;
constexpr qint64 leastFarMs = 10;
constexpr std::size_t mostSent = 16;
/// Of ssh: the connection, not what it started.
constexpr int connectionFailed = 255;
constexpr int commandNotFound = 127;
constexpr int watchTicks = EngineWatch::tickMs / tickMs;
/// Until a connection that is being made, and that nobody waits for, is given up: 2 s.
constexpr int unwantedTicks = 40;
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
    : m_deliveries(deliveries),
      m_letters(new Mailbox(this)),
      m_timer(this),
      m_pause(this),
      m_idle(this)
{
    m_clock.start();
    m_pause.setSingleShot(true);
    connect(&m_pause, &QTimer::timeout, this, &EngineLink::startNext);
    m_timer.setInterval(tickMs);
    connect(&m_timer, &QTimer::timeout, this, &EngineLink::tick);
    m_idle.setInterval(idlePingMs);
    connect(&m_idle, &QTimer::timeout, this, &EngineLink::pingIfIdle);
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

void EngineLink::setProgram(EngineProgram program)
{
    const auto words = [](const EngineProgram& one) {
        return std::tie(one.program, one.arguments, one.host);
    };
    if (m_process && words(program) != words(m_program))
        m_isOutdated = true;
    m_program = std::move(program);
}

void EngineLink::setCacheFolder(const QString& folder)
{
    m_isOutdated = m_isOutdated || (m_process && folder != m_cacheFolder);
    m_cacheFolder = folder;
}

void EngineLink::rest()
{
    if (!m_process || !m_sent.empty() || !m_waiting.empty())
        return;
    m_process->disconnect(this);
    m_process->closeWriteChannel();
    m_abandoned.push_back(std::move(m_process));
    m_idle.stop();
}

/// Small ones are asked by the dozen: what is asked after them does not wait for those that wait.
void EngineLink::submit(EngineJob job)
{
    const auto place =
        job.isSmall ? m_waiting.end() : std::ranges::find(m_waiting, true, &EngineJob::isSmall);
    if (m_sent.empty() && m_waiting.empty())
        m_silentTicks = 0;
    m_waiting.insert(place, std::move(job));
    startNext();
}

void EngineLink::cancel(quint64 request)
{
    const auto sent =
        std::ranges::find_if(m_sent, [request](const Sent& one) { return one.job.id == request; });
    if (sent != m_sent.end()) {
        if (std::exchange(sent->isCancelling, true))
            return;
        const std::string frame =
            protocol::toFrame(protocol::toJson(protocol::CancelRequest{request}));
        m_process->write(frame.data(), static_cast<qint64>(frame.size()));
        startNext();
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
    if (!std::exchange(m_isLineSilent, false))
        return loseEngine({.who = engineName(), .how = tr("was restarted")});
    while (!m_sent.empty())
        askAnew(m_sent.size() - 1);
    startNext();
}

void EngineLink::refuseDeadly()
{
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

/// Beside what was cancelled and is yet to be answered.
bool EngineLink::maySendNext() const
{
    if (m_waiting.empty() || m_sent.size() >= mostSent)
        return false;
    const auto isLive = [](const Sent& one) { return !one.isCancelling; };
    const auto isSmall = [](const Sent& one) { return one.isCancelling || one.job.isSmall; };
    const auto live = static_cast<std::size_t>(std::ranges::count_if(m_sent, isLive));
    const bool isFar = isRemote() || m_roundTripMs.value_or(0) >= leastFarMs;
    return live == 0 || (live < (isFar ? mostSmallFar : mostSmallHere) &&
                         m_waiting.front().isSmall && std::ranges::all_of(m_sent, isSmall));
}

void EngineLink::startNext()
{
    if (m_pause.isActive())
        return;
    refuseDeadly();
    while (maySendNext()) {
        if (m_process && m_isOutdated && m_sent.empty())
            abandonProcess();
        if (m_process && m_isOutdated)
            return;
        if (!m_process)
            startProcess();
        if (!m_process)
            return;  // it could not be started, and all jobs were informed
        sendNext();
        refuseDeadly();
    }
}

void EngineLink::sendNext()
{
    if (m_sent.empty())
        m_watch.begin();
    m_sent.push_back({.job = std::move(m_waiting.front())});
    m_waiting.pop_front();
    const std::string& frame = m_sent.back().job.frame;
    m_process->write(frame.data(), static_cast<qint64>(frame.size()));
    if (!m_timer.isActive())
        m_timer.start();
}

void EngineLink::startProcess()
{
    m_frames.emplace(protocol::FrameReader::Start::AtPreamble);
    m_errorTail.clear();
    m_pingsSent = 0;
    m_pingsAnswered = 0;
    m_roundTripMs.reset();
    m_current = 0;
    m_isLineSilent = false;
    m_process = std::make_unique<QProcess>();
    connect(m_process.get(), &QProcess::readyReadStandardOutput, this, &EngineLink::readOutput);
    connect(m_process.get(), &QProcess::readyReadStandardError, this, &EngineLink::readErrors);
    connect(m_process.get(), &QProcess::finished, this, &EngineLink::processFinished);
    connect(m_process.get(), &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart)
            processFailedToStart();
    });
    m_isOutdated = false;
    QStringList arguments = m_program.arguments;
    if (!m_cacheFolder.isEmpty())
        arguments << QStringLiteral("--cache") << m_cacheFolder;
    m_process->start(m_program.program, arguments);
    m_idle.start();
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
    m_isLineSilent = false;
    // How long an answer takes to come is not known yet, but bytes do come.
    if (!m_roundTripMs)
        for (Sent& sent : m_sent)
            sent.ticksSinceCancel = 0;
    const bool hadStarted = m_frames->hasStarted();
    try {
        m_frames->feed({bytes.data(), static_cast<std::size_t>(bytes.size())});
        while (const std::optional<std::string> frame = m_frames->next())
            takeFrame(*frame);
    } catch (const protocol::OtherProtocol& other) {
        abandonProcess();
        const QString how =
            tr("speaks protocol %1, this window %2; update %3")
                .arg(other.version())
                .arg(protocol::protocolVersion)
                .arg(other.version() > protocol::protocolVersion ? tr("Calibscope here")
                     : isRemote()                                ? tr("calib there")
                                  : tr("calib, it is of another version"));
        refuseAll(tr("%1 %2.").arg(engineName(), how));
        return;
    } catch (const std::exception& error) {
        abandonProcess();
        loseEngine({.who = engineName(),
                    .how = tr("sent an unreadable message (%1) and was ended").arg(error.what())});
        return;
    }
    if (m_process && m_frames->hasStarted())
        m_silentTicks = 0;
    if (!hadStarted && m_process && m_frames->hasStarted())
        ping();
}

void EngineLink::takeFrame(const std::string& cbor)
{
    const protocol::ToClient message = protocol::toClientFromJson(protocol::parseCbor(cbor));
    if (const auto* note = std::get_if<protocol::ProgressNote>(&message))
        return takeProgress(*note);
    const auto& reply = std::get<protocol::Reply>(message);
    if (reply.id >= firstPing)
        return takePong(reply.id - firstPing, reply);
    // The id 0 is of a request that the engine could not read: of the first, as they come in order.
    const auto sent = std::ranges::find_if(
        m_sent, [&reply](const Sent& one) { return one.job.id == reply.id || reply.id == 0; });
    if (sent == m_sent.end())
        return;
    const auto place = static_cast<std::size_t>(sent - m_sent.begin());
    m_deadly.noteAnswer(sent->job.content);
    if (reply.failure)
        endJob(place, {.kind = EngineEnd::Kind::Failed,
                       .sentence = QString::fromStdString(reply.failure->message)});
    else if (reply.result)
        endJob(place, {.kind = EngineEnd::Kind::Result, .result = &*reply.result});
    else
        endJob(place, {.kind = EngineEnd::Kind::Cancelled});
    startNext();
}

void EngineLink::takePong(quint64 ping, const protocol::Reply& reply)
{
    const protocol::Pong pong = protocol::pongFromJson(reply.result.value_or(protocol::Json()));
    if (ping == m_pingsSent)
        m_roundTripMs = m_clock.elapsed() - m_pingSentMs;
    m_pingsAnswered = ping;
    m_current = pong.current;
    m_watch.sawPong(pong.beats, pong.cpuMs);
}

/// Each note is an event in the window's queue, so that an engine that sends nothing else must not
/// fill it.
void EngineLink::takeProgress(const protocol::ProgressNote& note)
{
    constexpr qint64 leastMs = 20;
    constexpr std::size_t longestPlace = 200;
    const qint64 now = m_clock.elapsed();
    const bool isAtWork = std::ranges::any_of(
        m_sent, [&note](const Sent& one) { return one.job.id == note.id && !one.isCancelling; });
    if (!isAtWork || now - m_lastProgressMs < leastMs)
        return;
    m_lastProgressMs = now;
    Q_EMIT progressed(note.id, note.done, note.total,
                      QString::fromStdString(note.what.substr(0, longestPlace)));
}

void EngineLink::tick()
{
    for (Sent& sent : m_sent)
        if (sent.isCancelling && isDeafToCancel(sent)) {
            abandonProcess();
            loseEngine({.who = engineName(),
                        .how = tr("did not respond to Cancel"),
                        .culprit = sent.job.id});
            return;
        }
    giveUpUnwanted();
    if (++m_ticks % watchTicks == 0)
        watchEngine();
}

void EngineLink::giveUpUnwanted()
{
    const bool isUnwanted = isRemote() && m_process && !m_frames->hasStarted() && !m_sent.empty() &&
                            std::ranges::all_of(m_sent, &Sent::isCancelling) &&
                            (m_waiting.empty() || m_isOutdated);
    m_unwantedTicks = isUnwanted ? m_unwantedTicks + 1 : 0;
    if (m_unwantedTicks < unwantedTicks)
        return;
    abandonProcess();
    while (!m_sent.empty())
        endJob(0, {.kind = EngineEnd::Kind::Cancelled});
    startNext();
}

/// After 200 ms and three round trips. While a connection is made nothing can be answered.
bool EngineLink::isDeafToCancel(Sent& sent) const
{
    if (isRemote() && !m_frames->hasStarted())
        return false;
    const qint64 onTheWay = cancelRoundTrips * m_roundTripMs.value_or(0);
    const qint64 limit = cancelTicks + (onTheWay + tickMs - 1) / tickMs;
    // Without a measure a far engine may be slower than the limit of one here.
    const qint64 patience =
        isRemote() && !m_roundTripMs ? qint64{EngineWatch::patienceTicks} * watchTicks : limit;
    return ++sent.ticksSinceCancel > patience;
}

void EngineLink::watchEngine()
{
    const Sent* sent = atWork();
    if (giveUpSilent())
        return;
    // A connection may take its time: for a place in a queue, too.
    if (sent == nullptr || (isRemote() && !m_frames->hasStarted()))
        return;
    if (m_pingsAnswered == m_pingsSent)
        ping();
    QString stall;
    // Of a far engine the process here is the connection's.
    const bool isHeld = !isRemote() && isHeldBySignal(m_process->processId());
    switch (m_watch.tick(isHeld)) {
    case EngineWatch::Verdict::Well: return;
    case EngineWatch::Verdict::Stopped:
        abandonProcess();
        loseEngine({.who = engineName(), .how = tr("was suspended by a signal and then ended")});
        return;
    case EngineWatch::Verdict::Silent:
        if (isRemote())
            return sayLineSilent(*sent);
        stall = tr("has not answered");
        break;
    case EngineWatch::Verdict::Waiting: stall = tr("has been waiting, perhaps for a disk,"); break;
    case EngineWatch::Verdict::Looping: stall = tr("has made no progress"); break;
    }
    Q_EMIT engineStalled(tr("%1 %2 for %3 s while it works on %4.")
                             .arg(engineName(), stall)
                             .arg(m_watch.patienceMs() / secondMs)
                             .arg(sent->job.subject));
}

bool EngineLink::giveUpSilent()
{
    const int mostTicks = m_program.mostSilentSeconds * secondMs / EngineWatch::tickMs;
    if (mostTicks == 0 || m_sent.empty() || ++m_silentTicks < mostTicks)
        return false;
    abandonProcess();
    refuseAll(withLastWords(tr("Nothing has come from %1 for %2 s; try again, or raise the limit "
                               "with --timeout SECONDS.")
                                .arg(m_program.host)
                                .arg(m_program.mostSilentSeconds)));
    return true;
}

void EngineLink::sayLineSilent(const Sent& sent)
{
    m_isLineSilent = true;
    Q_EMIT engineStalled(
        tr("Nothing has come from %1 for %2 s while it works on %3; the connection may be lost.")
            .arg(m_program.host)
            .arg(m_watch.patienceMs() / secondMs)
            .arg(sent.job.subject));
}

void EngineLink::ping()
{
    const std::string frame =
        protocol::toFrame(protocol::toJson(protocol::PingRequest{firstPing + ++m_pingsSent}));
    m_pingSentMs = m_clock.elapsed();
    m_process->write(frame.data(), static_cast<qint64>(frame.size()));
}

/// Keeps the connection, and an engine that ends when it hears nothing.
void EngineLink::pingIfIdle()
{
    if (m_process && m_sent.empty() && m_frames->hasStarted() && m_pingsAnswered == m_pingsSent)
        ping();
}

void EngineLink::processFailedToStart()
{
    const QString sentence =
        isRemote()
            ? tr("The connection to %1 can't be made: %2 could not be started: %3; install the "
                 "OpenSSH client.")
                  .arg(m_program.host, m_program.program, m_process->errorString())
            : tr("The engine %1 could not be started: %2; reinstall Calibscope, its "
                 "two programs belong in one folder.")
                  .arg(m_program.program, m_process->errorString());
    m_process.release()->deleteLater();  // it is its own signal that is handled here
    refuseAll(sentence);
}

void EngineLink::refuseAll(const QString& sentence)
{
    m_idle.stop();
    while (!m_sent.empty())
        endJob(0, {.kind = EngineEnd::Kind::Died, .sentence = sentence});
    failWaiting(sentence);
    Q_EMIT engineDied(sentence);
}

void EngineLink::processFinished(int code, QProcess::ExitStatus status)
{
    readErrors();
    const QString how = exitText(code, status);
    const bool hasSpoken = m_frames->hasStarted();
    const bool isConnection =
        isRemote() && status == QProcess::NormalExit && code == connectionFailed;
    m_process.release()->deleteLater();
    // A program that ends before its first word would do so again for each of the others.
    if (!hasSpoken && isRemote())
        return refuseAll(endBeforeGreeting(code, how));
    if (!hasSpoken) {
        while (m_sent.size() > 1)
            askAnew(m_sent.size() - 1);
        failWaiting(tr("The engine %1 %2 before it could be asked.").arg(m_program.program, how));
    }
    if (isConnection)
        loseEngine({.who = tr("The connection to %1").arg(m_program.host),
                    .how = tr("was lost"),
                    .isByRequest = false});
    else
        loseEngine({.who = engineName(), .how = how});
}

QString EngineLink::endBeforeGreeting(int code, const QString& how) const
{
    if (code == connectionFailed)
        return withLastWords(tr("The connection to %1 could not be made.").arg(m_program.host));
    if (code == commandNotFound)
        return withLastWords(
            tr("There is no program %1 on %2; install calib there, or set the command for %2 in "
               "Open on another machine.")
                .arg(m_program.command, m_program.host));
    return withLastWords(tr("%1 %2 before it could be asked.").arg(engineName(), how));
}

void EngineLink::abandonProcess()
{
    std::erase_if(m_abandoned,
                  [](const auto& process) { return process->state() == QProcess::NotRunning; });
    m_process->disconnect(this);
    m_process->kill();
    m_abandoned.push_back(std::move(m_process));
    m_idle.stop();
}

std::size_t EngineLink::placeAtWork(quint64 culprit) const
{
    for (const quint64 named : {culprit, m_current})
        for (std::size_t place = 0; named != 0 && place < m_sent.size(); ++place)
            if (m_sent[place].job.id == named)
                return place;
    return 0;
}

const EngineLink::Sent* EngineLink::atWork() const
{
    const auto live = std::ranges::find(m_sent, false, &Sent::isCancelling);
    return live != m_sent.end() ? &*live : m_sent.empty() ? nullptr : &m_sent.front();
}

void EngineLink::loseEngine(const Loss& loss)
{
    m_idle.stop();
    if (m_sent.empty())
        return;
    const std::size_t place = placeAtWork(loss.culprit);
    for (std::size_t other = m_sent.size(); other-- > 0;)
        if (other != place)
            askAnew(other);
    const Sent& lost = m_sent.front();
    const QString sentence =
        withLastWords(tr("%1 %2 while it worked on %3.").arg(loss.who, loss.how, lost.job.subject));
    const bool wasCancelling = lost.isCancelling;
    if (!wasCancelling && loss.isByRequest)
        m_deadly.noteDeath(lost.job.content, m_clock.elapsed());
    endJob(0, {.kind = EngineEnd::Kind::Died, .sentence = sentence});
    if (!wasCancelling)
        Q_EMIT engineDied(sentence);
    if (const qint64 pause = m_deadly.pauseMs(); pause > 0)
        m_pause.start(static_cast<int>(pause));
    startNext();
}

void EngineLink::askAnew(std::size_t place)
{
    Sent& sent = m_sent[place];
    if (sent.isCancelling)
        return endJob(place, {.kind = EngineEnd::Kind::Cancelled});
    m_waiting.push_front(std::move(sent.job));
    m_sent.erase(m_sent.begin() + static_cast<std::ptrdiff_t>(place));
}

void EngineLink::endJob(std::size_t place, const EngineEnd& end)
{
    const Sent& sent = m_sent[place];
    const EngineEnd cancelled{.kind = EngineEnd::Kind::Cancelled};
    m_deliveries.post(sent.job.finish(sent.isCancelling ? cancelled : end));
    m_sent.erase(m_sent.begin() + static_cast<std::ptrdiff_t>(place));
    if (m_sent.empty())
        m_timer.stop();
    else if (place == 0)
        m_watch.begin();  // the next one is at work
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

QString EngineLink::withLastWords(const QString& sentence) const
{
    const QString words = lastWords();
    return words.isEmpty() ? sentence : sentence + tr(" Its last output: %1").arg(words);
}

QString EngineLink::engineName() const
{
    return isRemote() ? tr("The engine on %1").arg(m_program.host) : tr("The engine");
}

}  // namespace calibscope
