// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/protocol/messages.h"

#include <QObject>
#include <QString>
#include <QStringList>

#include <functional>
#include <optional>
#include <type_traits>
#include <utility>
#include <variant>

namespace calibscope {

/// The command that starts an engine.
struct EngineProgram
{
    QString program;
    QStringList arguments;
    QString host = {};     ///< where the engine is, if the program connects to it; empty: here
    QString command = {};  ///< that is called there
    /// After so many seconds without a byte of that engine what was asked of it is given up, where
    /// nobody is there to be asked; 0: never.
    int mostSilentSeconds = 0;
};

/// How a request ended. Exactly one of: a value, a failure, cancelled; engineDied goes with a
/// failure.
template <typename T>
struct Answer
{
    std::optional<T> value;
    QString failure;  ///< a sentence
    bool wasCancelled = false;
    bool engineDied = false;  ///< the engine ended, was killed or could not be started
};

/// Called once for each request, on the engine object's thread, never from within the request
/// itself; not at all once the engine object is destroyed.
template <typename T>
using Handler = std::function<void(Answer<T>)>;

/// A request of one method of the protocol, and who wants its result.
template <typename Request>
struct Asking
{
    Request request;
    Handler<protocol::ResultOf<Request>> handler;
};

template <typename Methods>
struct AskingAny;

template <typename... Requests>
struct AskingAny<protocol::MethodList<Requests...>>
{
    using Type = std::variant<Asking<Requests>...>;
};

/// A request of any of its methods.
using AnyAsking = AskingAny<protocol::AllMethods>::Type;

/// Answers requests about dumps. Requests are worked on one at a time, in the order in which
/// they were made. A request's number is never 0.
class Engine : public QObject
{
    Q_OBJECT

public:
    using QObject::QObject;

    /// The request's number.
    template <typename Request>
    quint64 ask(const Request& request,
                std::type_identity_t<Handler<protocol::ResultOf<Request>>> handler)
    {
        return take(Asking<Request>{request, std::move(handler)});
    }
    /// The handler gets wasCancelled. Unknown and answered requests are ignored.
    virtual void cancel(quint64 request) = 0;
    /// Gives up what is at work: it is answered as engineDied.
    virtual void restart() = 0;

protected:
    virtual quint64 take(AnyAsking asking) = 0;

Q_SIGNALS:
    void progressed(quint64 request, quint64 done, quint64 total, const QString& what);
    /// What was being read and how the engine ended. Not after cancel(). The next request starts a
    /// new engine.
    void engineDied(const QString& sentence);
    /// No sign of work for 10 s: a user is to be asked whether to wait or to restart().
    void engineStalled(const QString& sentence);
};

}  // namespace calibscope
