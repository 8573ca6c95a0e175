// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/queries/engine.h"
#include "ui/queries/mailbox.h"

#include <QHash>
#include <QString>
#include <QStringList>
#include <QThread>

namespace calibscope {

class EngineLink;

/// An engine process, `calib serve`, and the requests to it.
///
/// The process starts with the first request and anew with the first one after its end. Requests
/// are worked on in the order in which they were made, previews after all others. They are sent one
/// at a time; previews two, and eight to an engine that is far away. A crash costs the one that was
/// at work: its handler gets a sentence, the others go to a new engine. Pipes and decoding have a
/// thread of their own.
class EngineClient : public Engine
{
    Q_OBJECT

public:
    /// The program is `calib` beside the application's own.
    explicit EngineClient(QObject* parent = nullptr);
    ~EngineClient() override;  ///< ends the engine; takes at most 1.3 s

    /// Results are cached in that folder between runs, or nowhere if it is empty. Holds
    /// from the next request on.
    void setCacheFolder(const QString& folder);
    /// Another program, from the next start on.
    void setProgram(const QString& program, const QStringList& arguments = {"serve"});
    /// One that may connect to an engine elsewhere.
    void setProgram(EngineProgram program);
    /// Ends an engine that has nothing to do, without waiting for its end. The next request starts
    /// another.
    void rest();

    /// Takes effect even where the result was on its way. An engine that does not follow within
    /// 200 ms and three times the round trip to it is killed.
    void cancel(quint64 request) override;
    /// Kills the engine.
    void restart() override;

private:
    quint64 take(AnyAsking asking) override;
    template <typename Request>
    quint64 send(Asking<Request> asking);
    void noteNames(Asking<protocol::OpenRequest>& asking);
    template <typename Request>
    [[nodiscard]] QString subjectOf(const Request& request) const;
    [[nodiscard]] QString tensorText(const TensorRef& tensor) const;
    [[nodiscard]] static QString layerText(const protocol::LayerRequest& request);

    Mailbox m_deliveries;
    QThread m_thread;
    EngineLink* m_link = nullptr;  ///< lives in m_thread, deleted with it
    quint64 m_lastId = 0;
    QHash<QString, QStringList> m_tensorNames;  ///< by path, of the dumps that were opened
};

}  // namespace calibscope
