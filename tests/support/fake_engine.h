#pragma once

#include "ui/queries/engine.h"

#include <deque>
#include <set>

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

    quint64 open(const protocol::OpenRequest& request,
                 Handler<protocol::DumpOpened> handler) override
    {
        opens.push_back({++lastId, request, std::move(handler)});
        return lastId;
    }
    quint64 view(const protocol::ViewRequest& request,
                 Handler<protocol::TensorView> handler) override
    {
        views.push_back({++lastId, request, std::move(handler)});
        return lastId;
    }
    quint64 preview(const protocol::PreviewRequest& request,
                    Handler<protocol::Preview> handler) override
    {
        previews.push_back({++lastId, request, std::move(handler)});
        return lastId;
    }
    quint64 strip(const protocol::StripRequest& request, Handler<protocol::Strip> handler) override
    {
        strips.push_back({++lastId, request, std::move(handler)});
        return lastId;
    }
    quint64 compare(const protocol::CompareRequest& request,
                    Handler<protocol::Compared> handler) override
    {
        comparisons.push_back({++lastId, request, std::move(handler)});
        return lastId;
    }
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
    std::set<quint64> cancelled;
    quint64 lastId = 0;
    int restarts = 0;
};

}  // namespace calibscope::test
