// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/queries/engine.h"

#include <deque>
#include <set>
#include <utility>
#include <variant>

namespace calibscope::test {

/// An engine that answers when and what a test tells it to.
class FakeEngine : public Engine
{
public:
    template <typename Request, typename Result>
    struct Asked
    {
        quint64 id = 0;
        Request request;
        Handler<Result> handler;
    };

    void cancel(quint64 request) override { cancelled.insert(request); }
    void restart() override { ++restarts; }

    /// Answers the oldest request of that kind.
    template <typename Request, typename Result>
    static void answer(std::deque<Asked<Request, Result>>& asked, Result result)
    {
        end(asked, Answer<Result>{.value = std::move(result)});
    }
    template <typename Request, typename Result>
    static void fail(std::deque<Asked<Request, Result>>& asked, const QString& sentence)
    {
        end(asked, Answer<Result>{.failure = sentence});
    }
    template <typename Request, typename Result>
    static void end(std::deque<Asked<Request, Result>>& asked, Answer<Result> answer)
    {
        const Handler<Result> handler = std::move(asked.front().handler);
        asked.pop_front();
        handler(std::move(answer));
    }

    std::deque<Asked<protocol::OpenRequest, protocol::DumpOpened>> opens;
    std::deque<Asked<protocol::ViewRequest, protocol::TensorView>> views;
    std::deque<Asked<protocol::PreviewRequest, protocol::Preview>> previews;
    std::deque<Asked<protocol::StripRequest, protocol::Strip>> strips;
    std::deque<Asked<protocol::CompareRequest, protocol::Compared>> comparisons;
    std::deque<Asked<protocol::PortsRequest, protocol::ModelPorts>> ports;
    std::deque<Asked<protocol::LayersRequest, protocol::LayerList>> layerLists;
    std::deque<Asked<protocol::LayerRequest, LayerResult>> layers;
    std::deque<Asked<protocol::LayerTrialsRequest, LayerCandidates>> layerTrials;
    std::deque<Asked<protocol::OperandTrialsRequest, OperandTrials>> operandTrials;
    std::deque<Asked<protocol::EqualizationsRequest, protocol::Equalizations>> equalizations;
    std::deque<Asked<protocol::StudyRequest, protocol::Studied>> studies;
    std::deque<Asked<protocol::SliceRequest, Slice>> slices;
    std::deque<Asked<protocol::LocateRequest, FoundValues>> locates;
    std::deque<Asked<protocol::ExtremeRequest, SampleExtreme>> extremes;
    std::deque<Asked<protocol::RateRequest, protocol::Rated>> rates;
    std::deque<Asked<protocol::BlockRequest, protocol::EncodedBlock>> blocks;
    std::deque<Asked<protocol::FormatMapRequest, FormatMap>> formatMaps;
    std::deque<Asked<protocol::IdentifyRequest, protocol::IdentifiedFile>> identifications;
    std::set<quint64> cancelled;
    quint64 lastId = 0;
    int restarts = 0;

protected:
    quint64 take(AnyAsking asking) override
    {
        ++lastId;
        std::visit([this](auto& asked) { note(std::move(asked)); }, asking);
        return lastId;
    }

private:
    void note(Asking<protocol::OpenRequest> asked) { keep(opens, std::move(asked)); }
    void note(Asking<protocol::ViewRequest> asked) { keep(views, std::move(asked)); }
    void note(Asking<protocol::PreviewRequest> asked) { keep(previews, std::move(asked)); }
    void note(Asking<protocol::StripRequest> asked) { keep(strips, std::move(asked)); }
    void note(Asking<protocol::CompareRequest> asked) { keep(comparisons, std::move(asked)); }
    void note(Asking<protocol::PortsRequest> asked) { keep(ports, std::move(asked)); }
    void note(Asking<protocol::LayersRequest> asked) { keep(layerLists, std::move(asked)); }
    void note(Asking<protocol::LayerRequest> asked) { keep(layers, std::move(asked)); }
    void note(Asking<protocol::LayerTrialsRequest> asked) { keep(layerTrials, std::move(asked)); }
    void note(Asking<protocol::OperandTrialsRequest> asked)
    {
        keep(operandTrials, std::move(asked));
    }
    void note(Asking<protocol::EqualizationsRequest> asked)
    {
        keep(equalizations, std::move(asked));
    }
    void note(Asking<protocol::StudyRequest> asked) { keep(studies, std::move(asked)); }
    void note(Asking<protocol::SliceRequest> asked) { keep(slices, std::move(asked)); }
    void note(Asking<protocol::LocateRequest> asked) { keep(locates, std::move(asked)); }
    void note(Asking<protocol::ExtremeRequest> asked) { keep(extremes, std::move(asked)); }
    void note(Asking<protocol::RateRequest> asked) { keep(rates, std::move(asked)); }
    void note(Asking<protocol::BlockRequest> asked) { keep(blocks, std::move(asked)); }
    void note(Asking<protocol::FormatMapRequest> asked) { keep(formatMaps, std::move(asked)); }
    void note(Asking<protocol::IdentifyRequest> asked) { keep(identifications, std::move(asked)); }
    /// What no test answers.
    template <typename Request>
    void note(Asking<Request>)
    {}

    template <typename Request, typename Result>
    void keep(std::deque<Asked<Request, Result>>& asked, Asking<Request> asking)
    {
        asked.push_back({lastId, std::move(asking.request), std::move(asking.handler)});
    }
};

}  // namespace calibscope::test
