// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/queries/engine_router.h"

#include "core/base/error.h"
#include "core/calibrators/calibrator.h"
#include "core/protocol/codec.h"
#include "ui/queries/addresses.h"

#include <QMetaObject>

#include <algorithm>
#include <cstddef>
#include <string>
#include <type_traits>
#include <utility>

namespace calibscope {

namespace {

/// The files that a request names.
template <typename Request>
std::vector<std::string*> filesOf(Request& request)
{
    std::vector<std::string*> files;
    protocol::visitFiles(request, [&](std::string& file) { files.push_back(&file); });
    return files;
}

/// Paths there become the addresses that were asked with.
template <typename Result>
void renameFiles(Result& result, const std::map<std::string, std::string>& addresses)
{
    protocol::visitFiles(result, [&](std::string& file) {
        if (const auto found = addresses.find(file); found != addresses.end())
            file = found->second;
    });
}

/// Made before the router and destroyed after it.
struct OwnMachines
{
    OwnMachines(KnownMachines known, int mostSilentSeconds) : own(std::move(known))
    {
        own.setMostSilentSeconds(mostSilentSeconds);
    }

    RemoteMachines own;
};

class OwnRouter final : private OwnMachines, public EngineRouter
{
public:
    OwnRouter(KnownMachines known, int mostSilentSeconds)
        : OwnMachines(std::move(known), mostSilentSeconds), EngineRouter(own)
    {}
};

}  // namespace

std::unique_ptr<Engine> makeRouter(KnownMachines known, int mostSilentSeconds)
{
    return std::make_unique<OwnRouter>(std::move(known), mostSilentSeconds);
}

EngineRouter::EngineRouter(RemoteMachines& machines, QObject* parent)
    : Engine(parent), m_machines(machines)
{
    follow(m_here);
    connect(&machines, &RemoteMachines::decided, this, &EngineRouter::goOn);
    connect(&machines, &RemoteMachines::changed, this, [this] {
        for (auto& [machine, far] : m_far)
            setProgramOf(far);
    });
}

void EngineRouter::setCacheFolder(const QString& folder)
{
    m_cacheFolder = folder;
    m_here.setCacheFolder(folder);
    for (auto& [machine, far] : m_far)
        setProgramOf(far);
}

void EngineRouter::shareFarEngines(EngineRouter& other)
{
    m_farWith = &other;
    connect(&other, &Engine::progressed, this,
            [this, &other](quint64 number, quint64 done, quint64 total, const QString& what) {
                for (auto asked = m_asked.cbegin(); asked != m_asked.cend(); ++asked)
                    if (asked->engine == &other && asked->number == number)
                        return Q_EMIT progressed(asked.key(), done, total, what);
            });
}

void EngineRouter::keepMachines(const QStringList& machines)
{
    for (auto& [machine, far] : m_far)
        if (!machines.contains(machine))
            far.engine->rest();
}

void EngineRouter::cancel(quint64 request)
{
    const auto held = std::ranges::find(m_held, request, &Held::number);
    if (held != m_held.end()) {
        const std::function<void()> tell = std::move(held->cancel);
        m_held.erase(held);
        return tell();
    }
    if (const Asked asked = m_asked.value(request); asked.engine != nullptr)
        asked.engine->cancel(asked.number);
}

void EngineRouter::restart()
{
    if (Engine* stalled = std::exchange(m_stalled, nullptr))
        return stalled->restart();
    m_here.restart();
    for (auto& [machine, far] : m_far)
        far.engine->restart();
}

quint64 EngineRouter::take(AnyAsking asking)
{
    const quint64 number = ++m_lastNumber;
    std::visit([&](auto& asked) { route(number, std::move(asked)); }, asking);
    return number;
}

template <typename Request>
void EngineRouter::route(quint64 number, Asking<Request> asking)
{
    std::optional<Location> location;
    try {
        for (const std::string* file : filesOf(asking.request)) {
            const Location next = parseLocation(*file);
            if (!location)
                location = next;
            else if (next.machine() != location->machine())
                return fail(number, std::move(asking),
                            tr("These files lie on different machines: %1 and %2. An engine reads "
                               "those of its own only; copy one beside the other.")
                                .arg(QString::fromStdString(location->address()),
                                     QString::fromStdString(next.address())));
        }
    } catch (const Error& error) {
        return fail(number, std::move(asking), QString::fromUtf8(error.what()));
    }
    if (!location || !location->isRemote())
        return send(number, std::move(asking), {});
    const QString machine = QString::fromStdString(location->machine());
    const QString refusal = tr("%1 was not connected to: you have not allowed it.").arg(machine);
    const auto far = m_far.find(machine);
    const bool isGreeting = far != m_far.end() && far->second.isGreeting;
    switch (m_machines.standingOf(machine)) {
    case RemoteMachines::Standing::Allowed:
        if (isGreeting)
            break;
        return send(number, std::move(asking), *location);
    case RemoteMachines::Standing::Refused: return fail(number, std::move(asking), refusal);
    case RemoteMachines::Standing::Asked: break;
    }
    const auto held = std::make_shared<Asking<Request>>(std::move(asking));
    m_held.push_back({.number = number,
                      .machine = machine,
                      .goOn =
                          [this, number, held, where = *location, refusal](bool isAllowed) {
                              if (isAllowed)
                                  send(number, std::move(*held), where);
                              else
                                  fail(number, std::move(*held), refusal);
                          },
                      .cancel =
                          [this, held] {
                              QMetaObject::invokeMethod(
                                  this,
                                  [held] {
                                      Answer<protocol::ResultOf<Request>> answer;
                                      answer.wasCancelled = true;
                                      held->handler(std::move(answer));
                                  },
                                  Qt::QueuedConnection);
                          }});
}

template <typename Request>
void EngineRouter::send(quint64 number, Asking<Request> asking, const Location& location)
{
    using Result = protocol::ResultOf<Request>;
    const bool isFar = location.isRemote();
    std::map<std::string, std::string> addresses;
    if (isFar && m_farWith == nullptr)
        for (std::string* file : filesOf(asking.request)) {
            const std::string there = parseLocation(*file).path;
            addresses[there] = std::exchange(*file, there);
        }
    Engine& engine = engineAt(location);
    const QString machine = QString::fromStdString(location.machine());
    const auto answered = [this, number, addresses = std::move(addresses), machine,
                           putBack = takeUnknown(asking.request, machine),
                           handler = std::move(asking.handler)](Answer<Result> answer) {
        m_asked.remove(number);
        if (answer.value && putBack)
            putBack(*answer.value);
        if (answer.value)
            renameFiles(*answer.value, addresses);
        if (answer.value && !machine.isEmpty())
            greet(machine);
        handler(std::move(answer));
    };
    m_asked[number] = {.engine = &engine, .number = engine.ask(asking.request, answered)};
}

/// Later: nobody expects an answer before he has the request's number.
template <typename Request>
void EngineRouter::fail(quint64 /*number*/, Asking<Request> asking, const QString& sentence)
{
    QMetaObject::invokeMethod(
        this,
        [handler = std::move(asking.handler), sentence] {
            Answer<protocol::ResultOf<Request>> answer;
            answer.failure = sentence;
            handler(std::move(answer));
        },
        Qt::QueuedConnection);
}

Engine& EngineRouter::engineAt(const Location& location)
{
    if (!location.isRemote())
        return m_here;
    if (m_farWith != nullptr)
        return *m_farWith;
    Far& far = m_far[QString::fromStdString(location.machine())];
    if (!far.engine) {
        far.engine = std::make_unique<EngineClient>();
        far.location = location;
        setProgramOf(far);
        follow(*far.engine);
    }
    return *far.engine;
}

void EngineRouter::setProgramOf(Far& far)
{
    const QString command = m_machines.commandOn(QString::fromStdString(far.location.machine()));
    EngineProgram program = programAt(far.location, command, !m_cacheFolder.isEmpty());
    program.mostSilentSeconds = m_machines.mostSilentSeconds();
    far.engine->setProgram(std::move(program));
    if (std::exchange(far.command, command) == command)
        return;
    far.isGreeted = false;  // it may start another version
    far.hello.reset();
}

/// Behind the first answer, so that nobody waits for it.
void EngineRouter::greet(const QString& machine)
{
    const auto far = m_far.find(machine);
    if (far == m_far.end() || std::exchange(far->second.isGreeted, true))
        return;
    far->second.isGreeting = true;
    far->second.engine->ask(
        protocol::HelloRequest{.version = CALIBSCOPE_VERSION},
        [this, machine](const Answer<protocol::Hello>& answer) { takeGreeting(machine, answer); });
}

void EngineRouter::takeGreeting(const QString& machine, const Answer<protocol::Hello>& answer)
{
    const auto far = m_far.find(machine);
    if (far == m_far.end())
        return;
    far->second.isGreeting = false;
    far->second.isGreeted = answer.value.has_value();
    far->second.hello = answer.value;
    if (answer.value)
        Q_EMIT greeted(machine, *answer.value);
    goOn(machine, true);
}

std::string EngineRouter::lackFor(const Choice& choice, const QString& machine) const
{
    const auto far = m_far.find(machine);
    if (far == m_far.end() || !far->second.hello)
        return {};
    const protocol::Hello& hello = *far->second.hello;
    const std::string who = hello.program + " " + hello.version + " on " + machine.toStdString();
    const auto known =
        std::ranges::find(hello.calibrators, choice.calibrator, &protocol::OfferedCalibrator::id);
    if (known == hello.calibrators.end())
        return who + " has no calibrator " + choice.calibrator + "; update calib there";
    for (const Parameter& parameter : calibrator(choice.calibrator).parameters) {
        const bool isKnown =
            std::ranges::find(known->parameters, parameter.id, &protocol::OfferedParameter::id) !=
            known->parameters.end();
        if (!isKnown && !choice.settings.is(parameter.id, parameter.fallback))
            return who + " has no parameter " + std::string(parameter.id) + " of " +
                   choice.calibrator + "; update calib there";
    }
    return {};
}

template <typename Request>
std::function<void(protocol::ResultOf<Request>&)>
EngineRouter::takeUnknown(Request& request, const QString& machine) const
{
    if constexpr (std::is_same_v<Request, protocol::ViewRequest>) {
        std::vector<Outcome> lacking;
        std::vector<std::size_t> places;
        std::vector<Choice> known;
        for (const Choice& choice : request.choices)
            if (std::string lack = lackFor(choice, machine); !lack.empty()) {
                places.push_back(known.size() + lacking.size());
                lacking.push_back(
                    {.file = request.tensor.file, .choice = choice, .problem = std::move(lack)});
            } else {
                known.push_back(choice);
            }
        if (lacking.empty())
            return {};
        request.choices = std::move(known);
        return
            [lacking = std::move(lacking), places = std::move(places)](protocol::TensorView& view) {
                for (std::size_t place = 0; place < places.size(); ++place) {
                    const auto at =
                        static_cast<std::ptrdiff_t>(std::min(places[place], view.outcomes.size()));
                    Outcome outcome = lacking[place];
                    outcome.tensor = view.profile.info.name;
                    outcome.role = view.profile.info.role;
                    outcome.op = view.profile.info.op;
                    view.outcomes.insert(view.outcomes.begin() + at, std::move(outcome));
                }
            };
    } else if constexpr (std::is_same_v<Request, protocol::PreviewRequest>) {
        const std::string lack = request.choice ? lackFor(*request.choice, machine) : std::string();
        if (lack.empty())
            return {};
        request.choice.reset();
        return [lack](protocol::Preview& preview) { preview.notes.push_back(lack); };
    } else {
        return {};
    }
}

void EngineRouter::follow(Engine& engine)
{
    connect(&engine, &Engine::progressed, this,
            [this, &engine](quint64 number, quint64 done, quint64 total, const QString& what) {
                for (auto asked = m_asked.cbegin(); asked != m_asked.cend(); ++asked)
                    if (asked->engine == &engine && asked->number == number)
                        return Q_EMIT progressed(asked.key(), done, total, what);
            });
    connect(&engine, &Engine::engineDied, this, &Engine::engineDied);
    connect(&engine, &Engine::engineStalled, this, [this, &engine](const QString& sentence) {
        m_stalled = &engine;
        Q_EMIT engineStalled(sentence);
    });
}

void EngineRouter::goOn(const QString& machine, bool isAllowed)
{
    std::vector<Held> ready;
    std::erase_if(m_held, [&](Held& held) {
        if (held.machine != machine)
            return false;
        ready.push_back(std::move(held));
        return true;
    });
    for (const Held& held : ready)
        held.goOn(isAllowed);
}

}  // namespace calibscope
