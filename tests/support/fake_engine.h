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

    quint64 open(const serve::OpenRequest& request, Handler<serve::DumpOpened> handler) override
    {
        opens.push_back({++lastId, request, std::move(handler)});
        return lastId;
    }
    quint64 view(const serve::ViewRequest& request, Handler<serve::TensorView> handler) override
    {
        views.push_back({++lastId, request, std::move(handler)});
        return lastId;
    }
    quint64 glance(const serve::GlanceRequest& request, Handler<serve::Glance> handler) override
    {
        glances.push_back({++lastId, request, std::move(handler)});
        return lastId;
    }
    quint64 strip(const serve::StripRequest& request, Handler<serve::Strip> handler) override
    {
        strips.push_back({++lastId, request, std::move(handler)});
        return lastId;
    }
    quint64 compare(const serve::CompareRequest& request, Handler<serve::Compared> handler) override
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

    std::deque<Asked<serve::OpenRequest, serve::DumpOpened>> opens;
    std::deque<Asked<serve::ViewRequest, serve::TensorView>> views;
    std::deque<Asked<serve::GlanceRequest, serve::Glance>> glances;
    std::deque<Asked<serve::StripRequest, serve::Strip>> strips;
    std::deque<Asked<serve::CompareRequest, serve::Compared>> comparisons;
    std::set<quint64> cancelled;
    quint64 lastId = 0;
    int restarts = 0;
};

}  // namespace calibscope::test
