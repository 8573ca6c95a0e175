// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/queries/tensor_questions.h"

#include <QHashFunctions>
#include <QObject>
#include <QString>

#include <algorithm>
#include <iterator>
#include <list>
#include <memory>
#include <utility>

namespace calibscope {

[[nodiscard]] inline std::size_t qHash(const TensorRef& tensor, std::size_t seed = 0)
{
    return qHashMulti(seed, tensor.index, tensor.part.channel.value_or(0),
                      tensor.part.batches.value_or(0));
}

/// State of a query, and the one signal that reports its changes.
class QueryState : public QObject
{
    Q_OBJECT

public:
    enum class State {
        Idle,  ///< nothing is wanted
        Reading,
        Ready,
        Stopped,  ///< by stop(); again() resumes
        Failed,
    };

    [[nodiscard]] State state() const { return m_state; }
    [[nodiscard]] bool isReading() const { return m_state == State::Reading; }
    [[nodiscard]] const QString& problem() const { return m_problem; }    ///< of Failed, a sentence
    [[nodiscard]] bool hasEngineDied() const { return m_hasEngineDied; }  ///< of Failed

Q_SIGNALS:
    void changed();

protected:
    using QObject::QObject;

    void setState(State state)
    {
        m_state = state;
        Q_EMIT changed();
    }

    State m_state = State::Idle;
    QString m_problem;
    bool m_hasEngineDied = false;
};

/// Identity of requests, for the answers in a query's memory. The default finds none: it is for
/// queries without memory.
template <typename Request>
struct QueryTraits
{
    /// One answer serves both.
    static bool isSame(const Request&, const Request&) { return false; }
    /// The answer to one is worth showing while the other is read.
    static bool isSameSubject(const Request&, const Request&) { return false; }
    static void complete(const Request&, protocol::ResultOf<Request>&) {}
};

/// One question to an engine: the latest request wins, an earlier one is cancelled, and so is the
/// last one when the query is destroyed. The last `most` answers are in memory.
template <typename Request>
class Query : public QueryState
{
public:
    using Traits = QueryTraits<Request>;
    using Result = protocol::ResultOf<Request>;
    using Shared = std::shared_ptr<const Result>;

    explicit Query(TensorQuestions& questions, std::size_t most = 0, QObject* parent = nullptr)
        : QueryState(parent), m_questions(questions), m_most(most)
    {}

    /// Ready at once where the answer is in memory.
    void ask(const Request& request)
    {
        Shared former =
            Traits::isSameSubject(request, m_wanted) ? (m_result ? m_result : m_former) : nullptr;
        const EngineRequest dropped = reset();
        m_wanted = request;
        if (Shared known = find(request)) {
            m_result = std::move(known);
            return setState(State::Ready);
        }
        m_former = std::move(former);
        m_asked =
            m_questions.ask(request, [this](Answer<Result> answer) { finish(std::move(answer)); });
        setState(State::Reading);
    }
    /// Nothing is wanted. No signal: the caller has other changes to report with this one.
    void drop()
    {
        m_state = State::Idle;
        (void)reset();
    }
    /// As drop(), and the answers are removed from memory.
    void forget()
    {
        drop();
        forgetAnswers();
    }
    /// What is shown or read stays.
    void forgetAnswers() { m_memory.clear(); }
    /// Nothing is wanted.
    void clear()
    {
        const EngineRequest dropped = reset();
        if (m_state != State::Idle)
            setState(State::Idle);
    }
    void stop()
    {
        if (!isReading())
            return;
        const EngineRequest dropped = reset();
        setState(State::Stopped);
    }
    /// Asks again after stop() or a failure.
    void again()
    {
        if (m_state == State::Stopped || m_state == State::Failed)
            ask(Request(m_wanted));
    }
    /// Puts an answer into memory.
    Shared remember(const Request& request, Result result)
    {
        Traits::complete(request, result);
        auto shared = std::make_shared<const Result>(std::move(result));
        std::erase_if(m_memory,
                      [&](const auto& known) { return Traits::isSame(known.first, request); });
        m_memory.emplace_front(request, shared);
        if (m_memory.size() > m_most)
            m_memory.pop_back();
        return shared;
    }

    /// An answer in memory; nullptr without one.
    [[nodiscard]] Shared find(const Request& request) const
    {
        const auto found = std::ranges::find_if(
            m_memory, [&](const auto& known) { return Traits::isSame(known.first, request); });
        if (found == m_memory.end())
            return nullptr;
        m_memory.splice(m_memory.begin(), m_memory, found);  // the least used ones leave first
        return found->second;
    }
    struct Found
    {
        Shared result;  ///< nullptr without one
        bool isPending = false;
        QString problem;  ///< reason for a missing result, a sentence
    };
    /// The result of that request or its state, whether it is the latest one or not.
    [[nodiscard]] Found answerTo(const Request& request) const
    {
        if (m_state == State::Idle || !Traits::isSame(m_wanted, request))
            return {.result = find(request), .isPending = false, .problem = {}};
        return {.result = m_result, .isPending = isReading(), .problem = m_problem};
    }
    [[nodiscard]] const Shared& shared() const { return m_result; }  ///< nullptr unless Ready
    [[nodiscard]] const Result* result() const { return m_result.get(); }
    /// While another part of the same subject is read, the result before; else nullptr.
    [[nodiscard]] const Result* former() const { return m_former.get(); }
    [[nodiscard]] const Request& request() const { return m_wanted; }  ///< the latest one
    /// The engine's number of the request at work.
    [[nodiscard]] bool is(quint64 id) const { return m_asked.is(id); }

private:
    /// The caller cancels the request at work, after the change is reported.
    [[nodiscard]] EngineRequest reset()
    {
        m_result.reset();
        m_former.reset();
        m_problem.clear();
        m_hasEngineDied = false;
        return std::move(m_asked);
    }
    void finish(Answer<Result> answer)
    {
        m_former.reset();
        if (answer.wasCancelled)
            return setState(State::Stopped);
        if (!answer.value) {
            m_problem = answer.failure;
            m_hasEngineDied = answer.engineDied;
            return setState(State::Failed);
        }
        m_result = remember(m_wanted, *std::move(answer.value));
        setState(State::Ready);
    }

    TensorQuestions& m_questions;
    std::size_t m_most;
    mutable std::list<std::pair<Request, Shared>> m_memory;  ///< the latest used first
    Request m_wanted;
    EngineRequest m_asked;
    Shared m_result;
    Shared m_former;
};

/// Views are of a tensor's part, whichever choices came with them: others are asked for later.
template <>
struct QueryTraits<protocol::ViewRequest>
{
    static bool isSame(const protocol::ViewRequest& one, const protocol::ViewRequest& other)
    {
        return one.tensor == other.tensor;
    }
    static bool isSameSubject(const protocol::ViewRequest& one, const protocol::ViewRequest& other)
    {
        TensorRef whole = other.tensor;
        whole.part = one.tensor.part;
        return one.tensor == whole;
    }
    /// The choices as they were asked for, to be found again: the engine may have fitted them.
    static void complete(const protocol::ViewRequest& request, protocol::TensorView& view)
    {
        const std::size_t count = std::min(view.outcomes.size(), request.choices.size());
        for (std::size_t index = 0; index < count; ++index)
            view.outcomes[index].choice = request.choices[index];
    }
};

template <>
struct QueryTraits<protocol::StripRequest>
{
    static bool isSame(const protocol::StripRequest& one, const protocol::StripRequest& other)
    {
        return one.tensor == other.tensor && one.rows == other.rows && one.domain == other.domain &&
               one.columns == other.columns && one.range == other.range;
    }
    static bool isSameSubject(const protocol::StripRequest&, const protocol::StripRequest&)
    {
        return false;
    }
    static void complete(const protocol::StripRequest&, protocol::Strip&) {}
};

using ViewQuery = Query<protocol::ViewRequest>;
using StripQuery = Query<protocol::StripRequest>;

}  // namespace calibscope
