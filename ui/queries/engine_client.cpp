// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/queries/engine_client.h"

#include "core/protocol/codec.h"
#include "core/protocol/envelope.h"
#include "core/recipes/own_files.h"
#include "ui/queries/engine_link.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QMetaObject>

#include <exception>
#include <functional>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>

namespace calibscope {

namespace {

template <typename T>
Answer<T> answerOf(const EngineEnd& end)
{
    Answer<T> answer;
    answer.wasCancelled = end.kind == EngineEnd::Kind::Cancelled;
    answer.engineDied = end.kind == EngineEnd::Kind::Died;
    answer.failure = end.sentence;
    if (end.kind != EngineEnd::Kind::Result)
        return answer;
    try {
        answer.value = protocol::decode<T>(*end.result);
    } catch (const std::exception& error) {
        answer.failure = QString::fromStdString(error.what());
    }
    return answer;
}

QString fileName(const std::string& path)
{
    return QFileInfo(QString::fromStdString(path)).fileName();
}

}  // namespace

EngineClient::EngineClient(QObject* parent) : Engine(parent), m_link(new EngineLink(m_deliveries))
{
    EngineProgram own{.program = QCoreApplication::applicationDirPath() + "/calib",
                      .arguments = {"serve"}};
    if (const std::string programs = ownProgramFolder().string(); !programs.empty())
        own.arguments << QStringLiteral("--programs") << QString::fromStdString(programs);
    m_link->setProgram(std::move(own));
    m_link->moveToThread(&m_thread);
    connect(&m_thread, &QThread::finished, m_link, &QObject::deleteLater);
    connect(m_link, &EngineLink::progressed, this, &EngineClient::progressed);
    connect(m_link, &EngineLink::engineDied, this, &EngineClient::engineDied);
    connect(m_link, &EngineLink::engineStalled, this, &EngineClient::engineStalled);
    m_thread.setObjectName("engine link");
    m_thread.start();
}

EngineClient::~EngineClient()
{
    m_thread.quit();
    m_thread.wait();
}

void EngineClient::setProgram(const QString& program, const QStringList& arguments)
{
    setProgram({.program = program, .arguments = arguments});
}

void EngineClient::setProgram(EngineProgram program)
{
    m_link->letters().post([link = m_link, program = std::move(program)]() mutable {
        link->setProgram(std::move(program));
    });
}

void EngineClient::rest()
{
    m_link->letters().post([link = m_link] { link->rest(); });
}

void EngineClient::setCacheFolder(const QString& folder)
{
    m_link->letters().post([link = m_link, folder] { link->setCacheFolder(folder); });
}

quint64 EngineClient::take(AnyAsking asking)
{
    if (auto* opening = std::get_if<Asking<protocol::OpenRequest>>(&asking))
        noteNames(*opening);
    return std::visit([this](auto& asked) { return send(std::move(asked)); }, asking);
}

template <typename Request>
quint64 EngineClient::send(Asking<Request> asking)
{
    using Result = protocol::ResultOf<Request>;
    const quint64 id = ++m_lastId;
    const auto frameWith = [&asking](quint64 number) {
        return protocol::toFrame(
            protocol::toJson(protocol::Request{number, std::string(protocol::Method<Request>::name),
                                               protocol::encode(asking.request)}));
    };
    EngineJob job{
        .id = id,
        .frame = frameWith(id),
        .content = std::hash<std::string>{}(frameWith(0)),
        .subject = subjectOf(asking.request),
        .isSmall = std::is_same_v<Request, protocol::PreviewRequest>,
        .finish = [handler =
                       std::move(asking.handler)](const EngineEnd& end) -> EngineJob::Delivery {
            auto answer = std::make_shared<Answer<Result>>(answerOf<Result>(end));
            return [handler, answer] { handler(std::move(*answer)); };
        },
    };
    m_link->letters().post(
        [link = m_link, job = std::move(job)]() mutable { link->submit(std::move(job)); });
    return id;
}

void EngineClient::noteNames(Asking<protocol::OpenRequest>& asking)
{
    asking.handler = [this, path = QString::fromStdString(asking.request.path),
                      handler = std::move(asking.handler)](Answer<protocol::DumpOpened> answer) {
        if (answer.value) {
            QStringList& names = m_tensorNames[path] = {};
            for (const TensorInfo& tensor : answer.value->tensors)
                names.append(QString::fromStdString(tensor.name));
        }
        handler(std::move(answer));
    };
}

QString EngineClient::layerText(const protocol::LayerRequest& request)
{
    return tr("layer %1 of %2").arg(QString::fromStdString(request.layer), fileName(request.path));
}

/// What the request is about, for sentences: its tensor, the first of two, its layer, or its file.
template <typename Request>
QString EngineClient::subjectOf(const Request& request) const
{
    if constexpr (requires { request.tensor; })
        return tensorText(request.tensor);
    else if constexpr (requires { request.a; })
        return tensorText(request.a);
    else if constexpr (requires { request.layer.layer; })
        return layerText(request.layer);
    else if constexpr (requires { request.layer; })
        return layerText(request);
    else if constexpr (requires { request.path; })
        return fileName(request.path);
    else
        return tr("its greeting");
}

void EngineClient::cancel(quint64 request)
{
    m_link->letters().post([link = m_link, request] { link->cancel(request); });
}

void EngineClient::restart()
{
    m_link->letters().post([link = m_link] { link->restart(); });
}

QString EngineClient::tensorText(const TensorRef& tensor) const
{
    const QStringList names = m_tensorNames.value(QString::fromStdString(tensor.file));
    const auto index = static_cast<qsizetype>(tensor.index);
    const QString name =
        index >= 0 && index < names.size() ? names[index] : tr("tensor %1").arg(index + 1);
    return tr("%1 of %2").arg(name, fileName(tensor.file));
}

}  // namespace calibscope
