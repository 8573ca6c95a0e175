// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/error.h"
#include "core/protocol/wire.h"

#include <cstdint>
#include <optional>
#include <string>
#include <variant>

/// The frame of a message: which request it is of, and what it tells.
///
///     to the engine:  {id, method, params}            one of AllMethods (messages.h)
///                     {id, method: "ping"}            answered at once, also while another runs
///                     {method: "cancel", params: {request}}
///     to the client:  {id, result} | {id, error: {message, fault}} | {id, cancelled: true}
///                     {progress: {id, done, total, what}}
namespace calibscope::protocol {

struct Request
{
    std::uint64_t id = 0;  ///< chosen by the client, not 0
    std::string method;
    Json params;
};

struct PingRequest
{
    std::uint64_t id = 0;
};

struct CancelRequest
{
    std::uint64_t request = 0;
};

using ToEngine = std::variant<Request, PingRequest, CancelRequest>;

/// Signs of life of the engine's worker.
struct Pong
{
    std::uint64_t beats = 0;    ///< steps of work since the engine started
    std::uint64_t current = 0;  ///< request at work; 0: none
    std::uint64_t cpuMs = 0;    ///< computing time of all but the thread that answers
};

struct Failure
{
    std::string message;  ///< a sentence
    Fault fault = Fault::Input;
};

/// The end of a request: a result, a failure, or neither if it was cancelled.
struct Reply
{
    std::uint64_t id = 0;  ///< 0: of a request that could not be read
    std::optional<Json> result;
    std::optional<Failure> failure;
};

struct ProgressNote
{
    std::uint64_t id = 0;
    std::uint64_t done = 0;
    std::uint64_t total = 0;
    std::string what;
};

using ToClient = std::variant<Reply, ProgressNote>;

[[nodiscard]] Json toJson(ToEngine message);
[[nodiscard]] Json toJson(ToClient message);
[[nodiscard]] Json toJson(const Pong& pong);  ///< the result in a ping's reply

/// Throw Error(Input) for what is no such message.
[[nodiscard]] ToEngine toEngineFromJson(Json json);
[[nodiscard]] ToClient toClientFromJson(Json json);
[[nodiscard]] Pong pongFromJson(const Json& json);

/// The id of a message that may be damaged in all else; 0 without one.
[[nodiscard]] std::uint64_t idOf(const Json& json);

}  // namespace calibscope::protocol
