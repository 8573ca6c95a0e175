#include "core/engine/frame_writer.h"

#include "core/base/error.h"
#include "core/protocol/frame_reader.h"

#include <cerrno>
#include <string>
#include <unistd.h>
#include <utility>

namespace calibscope::engine {

namespace {

std::uint64_t idOf(const protocol::ToClient& message)
{
    const auto* reply = std::get_if<protocol::Reply>(&message);
    return reply != nullptr ? reply->id : 0;
}

std::string frameOf(protocol::ToClient message)
{
    const std::uint64_t id = idOf(message);
    try {
        return protocol::toFrame(protocol::toJson(std::move(message)));
    } catch (const Error& error) {
        return protocol::toFrame(protocol::toJson(protocol::Reply{
            .id = id,
            .result = {},
            .failure = protocol::Failure{.message = error.what(), .fault = error.fault()}}));
    }
}

}  // namespace

void FrameWriter::writePreamble()
{
    const std::scoped_lock lock(m_mutex);
    (void)writeAll(protocol::preamble);
}

bool FrameWriter::write(protocol::ToClient message)
{
    const std::string frame = frameOf(std::move(message));
    const std::scoped_lock lock(m_mutex);
    return writeAll(frame);
}

bool FrameWriter::writeAll(std::string_view bytes)
{
    while (!bytes.empty()) {
        const ssize_t written = ::write(m_descriptor, bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0)
            return false;
        bytes.remove_prefix(static_cast<std::size_t>(written));
    }
    return true;
}

}  // namespace calibscope::engine
