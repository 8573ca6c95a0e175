// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/location.h"
#include "ui/queries/engine.h"
#include "ui/queries/engine_client.h"
#include "ui/queries/remote_machines.h"

#include <QHash>
#include <QString>
#include <QStringList>

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <vector>

namespace calibscope {

/// Takes each request to an engine on the machine where its files lie, and gives the answer the
/// addresses that were asked with. Of each machine it has one engine. One of another version may
/// lack calibrators: their outcomes say so, and the others are computed.
class EngineRouter : public Engine
{
    Q_OBJECT

public:
    /// `machines` must outlive it.
    explicit EngineRouter(RemoteMachines& machines, QObject* parent = nullptr);

    /// Here results are cached in that folder between runs, elsewhere in the user's own there;
    /// nowhere if it is empty.
    void setCacheFolder(const QString& folder);
    /// What is asked of other machines goes to that one's engines, which must outlive this.
    void shareFarEngines(EngineRouter& other);
    /// Ends the engines of all other machines; those that are asked again start anew.
    void keepMachines(const QStringList& machines);

    void cancel(quint64 request) override;
    /// Of the engine that stalled last, else of all.
    void restart() override;

Q_SIGNALS:
    /// An engine elsewhere has answered for the first time.
    void greeted(const QString& machine, const calibscope::protocol::Hello& hello);

private:
    struct Asked
    {
        Engine* engine = nullptr;  ///< nullptr: the user has yet to allow it
        quint64 number = 0;        ///< there
    };
    struct Held
    {
        quint64 number = 0;
        QString machine;
        std::function<void(bool isAllowed)> goOn;
        std::function<void()> cancel;
    };
    /// An engine elsewhere.
    struct Far
    {
        std::unique_ptr<EngineClient> engine;
        Location location;
        QString command = {};  ///< that starts it
        bool isGreeted = false;
        bool isGreeting = false;  ///< and what is asked meanwhile waits for the answer
        std::optional<protocol::Hello> hello = {};
    };

    quint64 take(AnyAsking asking) override;
    template <typename Request>
    void route(quint64 number, Asking<Request> asking);
    template <typename Request>
    void send(quint64 number, Asking<Request> asking, const Location& location);
    template <typename Request>
    void fail(quint64 number, Asking<Request> asking, const QString& sentence);
    [[nodiscard]] Engine& engineAt(const Location& location);
    void greet(const QString& machine);
    void takeGreeting(const QString& machine, const Answer<protocol::Hello>& answer);
    /// What the engine there lacks for a choice, as a sentence; empty: nothing that it has told of.
    [[nodiscard]] std::string lackFor(const Choice& choice, const QString& machine) const;
    /// Takes out of a request what the engine there does not know, which would refuse all of it.
    /// What is returned puts the sentences for it into the answer.
    template <typename Request>
    [[nodiscard]] std::function<void(protocol::ResultOf<Request>&)>
    takeUnknown(Request& request, const QString& machine) const;
    void follow(Engine& engine);
    void goOn(const QString& machine, bool isAllowed);
    void setProgramOf(Far& far);

    RemoteMachines& m_machines;
    EngineClient m_here;
    EngineRouter* m_farWith = nullptr;
    std::map<QString, Far> m_far;
    QString m_cacheFolder;
    QHash<quint64, Asked> m_asked;
    std::vector<Held> m_held;
    Engine* m_stalled = nullptr;
    quint64 m_lastNumber = 0;
};

/// A router with machines of its own, for a thread beside the window's: it asks nobody, and
/// connects to what is allowed already.
[[nodiscard]] std::unique_ptr<Engine> makeRouter(KnownMachines known, int mostSilentSeconds = 0);

}  // namespace calibscope
