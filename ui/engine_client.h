#pragma once

#include "core/serve/protocol/messages.h"

#include <QHash>
#include <QObject>
#include <QString>
#include <QStringList>
#include <QThread>

#include <functional>
#include <memory>
#include <optional>

namespace calibscope {

class EngineLink;

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

/// Called once for each request, on the client's thread, never from within the request itself; not
/// at all once the client is destroyed.
template <typename T>
using Handler = std::function<void(Answer<T>)>;

/// An engine process, `calib serve`, and the requests to it.
///
/// The process starts with the first request and anew with the first one after its end. Requests
/// are sent one at a time in the order in which they were made, so that a crash costs one of them;
/// its handler gets a sentence, the others go to a new engine. Pipes and decoding have a thread of
/// their own.
class EngineClient : public QObject
{
    Q_OBJECT

public:
    /// The program is `calib` beside the application's own.
    explicit EngineClient(QObject* parent = nullptr);
    ~EngineClient() override;  ///< ends the engine; takes at most 1.3 s

    /// Another program, from the next start on.
    void setProgram(const QString& program, const QStringList& arguments = {"serve"});

    quint64 open(const serve::OpenRequest& request, Handler<serve::DumpOpened> handler);
    quint64 view(const serve::ViewRequest& request, Handler<serve::TensorView> handler);
    quint64 glance(const serve::GlanceRequest& request, Handler<serve::Glance> handler);

    /// The handler gets wasCancelled, even where the result was on its way. An engine that does not
    /// follow within 200 ms is killed. Unknown and answered requests are ignored.
    void cancel(quint64 request);
    /// Kills the engine. The request at work is answered as engineDied.
    void restart();

Q_SIGNALS:
    void progressed(quint64 request, quint64 done, quint64 total, const QString& what);
    /// What was being read and how the engine ended. Not after cancel(). The next request starts a
    /// new engine.
    void engineDied(const QString& sentence);
    /// No sign of work for 10 s: a user is to be asked whether to wait or to restart().
    void engineStalled(const QString& sentence);

private:
    template <typename Result, typename Content>
    quint64 ask(const char* method, const Content& content, const QString& subject,
                Handler<Result> handler);
    [[nodiscard]] QString tensorText(const std::string& path, std::uint64_t tensor) const;

    QThread m_thread;
    EngineLink* m_link = nullptr;  ///< lives in m_thread, deleted with it
    quint64 m_lastId = 0;
    QHash<QString, QStringList> m_tensorNames;  ///< by path, of the dumps that were opened
};

}  // namespace calibscope
