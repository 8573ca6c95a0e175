// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/recipes/make_choice.h"
#include "ui/queries/engine.h"

#include <QMetaObject>

#include <set>
#include <utility>
#include <variant>
#include <vector>

namespace calibscope::test {

/// An engine that answers by itself, from the event loop. Its dump "a.h5" holds the activations
/// first, second and third, the weight w with two channels, and "odd", which can't be read; reading
/// "third" kills it. Any other path is not a file.
class AnsweringEngine : public Engine
{
public:
    void cancel(quint64 request) override { cancelled.insert(request); }
    void restart() override { m_hanging({.failure = "It was restarted.", .engineDied = true}); }

    std::vector<std::uint64_t> viewed;
    std::set<quint64> cancelled;
    bool hangs = false;  ///< at each view, until restart()

    static protocol::DumpOpened dump()
    {
        protocol::DumpOpened opened{.identity = {.path = "a.h5", .bytes = 99, .modified = "then"}};
        for (const char* name : {"first", "second", "third", "w", "odd"})
            opened.tensors.push_back({.name = name,
                                      .role = *name == 'w' ? Role::Weight : Role::Activation,
                                      .elementType = ElementKind::Float32,
                                      .shape = {2, 2},
                                      .layoutRule = "attributes"});
        opened.tensors[3].channelAxis = 0;
        opened.tensors[4].unreadable = "its filter 32015 is missing";
        return opened;
    }

protected:
    quint64 take(AnyAsking asking) override
    {
        return std::visit(
            [this](auto& asked) { return answer(asked.request, std::move(asked.handler)); },
            asking);
    }

private:
    quint64 answer(const protocol::OpenRequest& request, Handler<protocol::DumpOpened> handler)
    {
        Answer<protocol::DumpOpened> answer;
        if (request.path == "a.h5")
            answer.value = dump();
        else
            answer.failure = QString::fromStdString(request.path) + ": no such file";
        return later(std::move(handler), std::move(answer));
    }

    quint64 answer(const protocol::ViewRequest& request, Handler<protocol::TensorView> handler)
    {
        viewed.push_back(request.tensor.index);
        Answer<protocol::TensorView> answer;
        if (hangs) {
            m_hanging = std::move(handler);
            QMetaObject::invokeMethod(
                this, [this] { Q_EMIT engineStalled("it hangs"); }, Qt::QueuedConnection);
            return ++m_lastId;
        }
        if (request.tensor.index == 2) {
            answer.engineDied = true;
            answer.failure = "The engine ended by signal 11.";
        } else {
            answer.value = viewOf(request);
        }
        return later(std::move(handler), std::move(answer));
    }

    quint64 answer(const protocol::PreviewRequest& request, Handler<protocol::Preview> handler)
    {
        Answer<protocol::Preview> answer;
        answer.value = protocol::Preview{.sqnrDb = request.tensor.index == 1 ? 15.0 : 30.0};
        return later(std::move(handler), std::move(answer));
    }
    /// What a report never asks.
    template <typename Request, typename Result>
    quint64 answer(const Request&, Handler<Result>)
    {
        return 0;
    }

    template <typename T>
    quint64 later(Handler<T> handler, Answer<T> answer)
    {
        QMetaObject::invokeMethod(
            this, [handler, answer] { handler(answer); }, Qt::QueuedConnection);
        return ++m_lastId;
    }

    /// "second" is the worst; the weight has a scale for each channel.
    static protocol::TensorView viewOf(const protocol::ViewRequest& request)
    {
        protocol::TensorView view;
        view.profile.info = dump().tensors[request.tensor.index];
        view.profile.moments.extents = {.finite = 4, .min = -1.0, .max = 3.0, .absSecond = 3.0};
        for (const HistogramSpec& spec : request.histograms)
            view.profile.histograms.push_back(
                {.spec = spec, .low = 0.0, .high = 3.0, .counts = {2, 1, 1}});
        for (const Choice& choice : request.choices) {
            Outcome outcome{.file = request.tensor.file,
                            .tensor = view.profile.info.name,
                            .role = view.profile.info.role,
                            .choice = choice};
            outcome.whole.clip.threshold = 3.0;
            outcome.whole.quantizer.clip = {-3.0, 3.0};
            // Under a percentile "second" is better by 2 dB.
            const double better = choice.calibrator == "percentile" ? 2.0 : 0.0;
            outcome.whole.metrics = {{"sqnr_db", request.tensor.index == 1 ? 15.0 + better : 30.0}};
            if (choice.granularity != Granularity::Tensor)
                outcome.channels = {outcome.whole, outcome.whole};
            if (choice.calibrator == "entropy")
                outcome.curve = {.objective = "KL divergence",
                                 .unit = "nats",
                                 .threshold = {1.0, 2.0, 3.0},
                                 .value = {0.3, 0.1, 0.2},
                                 .chosen = 1};
            view.outcomes.push_back(std::move(outcome));
        }
        return view;
    }

    quint64 m_lastId = 0;
    Handler<protocol::TensorView> m_hanging;
};

}  // namespace calibscope::test
