// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/protocol/messages.h"
#include "core/protocol/wire.h"

#include <functional>
#include <string>

namespace calibscope::protocol {

using FileVisitor = std::function<void(std::string&)>;

/// Each request and each result of the protocol's methods; see the functions below.
template <typename Message>
struct MessageCodec
{
    [[nodiscard]] static Json encode(const Message& message);
    [[nodiscard]] static Message decode(const Json& json);
    static void visitFiles(Message& message, const FileVisitor& visit);
};

/// A request or a result of the protocol's methods as Json. Arrays of numbers become byte strings,
/// so it is meant for CBOR.
template <typename Message>
[[nodiscard]] Json encode(const Message& message)
{
    return MessageCodec<Message>::encode(message);
}

/// The struct again, equal. Throws Error(Input) that names the member
/// that is missing, of another kind, or breaks a promise that readers rely on (a curve with fewer
/// values than thresholds, a scheme of 40 bits): the other side may be damaged or older.
template <typename Message>
[[nodiscard]] Message decode(const Json& json)
{
    return MessageCodec<Message>::decode(json);
}

/// Calls `visit` for the path of each file that the message names, which it may replace; not for an
/// empty one. They are the message's FileFields, wherever in it they are.
template <typename Message>
void visitFiles(Message& message, const FileVisitor& visit)
{
    MessageCodec<Message>::visitFiles(message, visit);
}

}  // namespace calibscope::protocol
