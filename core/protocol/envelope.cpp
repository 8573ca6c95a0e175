// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/protocol/envelope.h"

#include "core/protocol/codec/values.h"

#include <utility>

namespace calibscope::protocol {

template <>
constexpr int enumCount<Fault> = 4;

template <>
inline constexpr auto fieldsOf<Pong> = std::tuple{
    Field{"beats", &Pong::beats}, Field{"current", &Pong::current}, Field{"cpuMs", &Pong::cpuMs}};

template <>
inline constexpr auto fieldsOf<Failure> =
    std::tuple{SentenceField{"message", &Failure::message}, Field{"fault", &Failure::fault}};

template <>
inline constexpr auto fieldsOf<ProgressNote> =
    std::tuple{Field{"id", &ProgressNote::id}, Field{"done", &ProgressNote::done},
               Field{"total", &ProgressNote::total}, SentenceField{"what", &ProgressNote::what}};

template <>
inline constexpr auto fieldsOf<CancelRequest> =
    std::tuple{Field{"request", &CancelRequest::request}};

namespace {

constexpr Where envelope{nullptr, "envelope"};

template <typename Value>
Value readMember(const Json& json, std::string_view name)
{
    Value value{};
    read(member(json, name, envelope), value, Where{&envelope, name});
    return value;
}

/// Moved out of the envelope: a result may have many megabytes.
Json takeMember(Json& json, const char* name)
{
    return json.contains(name) ? std::move(json[name]) : Json();
}

struct Writer
{
    Json operator()(Request& request) const
    {
        return {{"id", request.id},
                {"method", std::move(request.method)},
                {"params", std::move(request.params)}};
    }
    Json operator()(const PingRequest& ping) const { return {{"id", ping.id}, {"method", "ping"}}; }
    Json operator()(const CancelRequest& cancel) const
    {
        return {{"method", "cancel"}, {"params", write(cancel)}};
    }
    Json operator()(Reply& reply) const
    {
        if (reply.failure)
            return {{"id", reply.id}, {"error", write(*reply.failure)}};
        if (reply.result)
            return {{"id", reply.id}, {"result", std::move(*reply.result)}};
        return {{"id", reply.id}, {"cancelled", true}};
    }
    Json operator()(const ProgressNote& note) const { return {{"progress", write(note)}}; }
};

}  // namespace

Json toJson(ToEngine message)
{
    return std::visit(Writer{}, message);
}

Json toJson(ToClient message)
{
    return std::visit(Writer{}, message);
}

Json toJson(const Pong& pong)
{
    return write(pong);
}

ToEngine toEngineFromJson(Json json)
{
    auto method = readMember<std::string>(json, "method");
    if (method == "cancel")
        return readMember<CancelRequest>(json, "params");
    const auto id = readMember<std::uint64_t>(json, "id");
    if (id == 0)
        envelope.fail("has the id 0, which is kept for requests that can't be read");
    if (method == "ping")
        return PingRequest{id};
    return Request{id, std::move(method), takeMember(json, "params")};
}

ToClient toClientFromJson(Json json)
{
    if (!json.is_object())
        envelope.fail("is not an object");
    if (json.contains("progress"))
        return readMember<ProgressNote>(json, "progress");
    Reply reply{.id = readMember<std::uint64_t>(json, "id"), .result = {}, .failure = {}};
    if (json.contains("error"))
        reply.failure = readMember<Failure>(json, "error");
    else if (json.contains("result"))
        reply.result = takeMember(json, "result");
    else if (!readMember<bool>(json, "cancelled"))
        envelope.fail("is a reply without a result");
    return reply;
}

Pong pongFromJson(const Json& json)
{
    Pong pong;
    read(json, pong, Where{nullptr, "pong"});
    return pong;
}

std::uint64_t idOf(const Json& json)
{
    if (!json.is_object() || !json.contains("id") || !json["id"].is_number_unsigned())
        return 0;
    return json["id"].get<std::uint64_t>();
}

}  // namespace calibscope::protocol
