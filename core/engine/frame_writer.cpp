#include "core/engine/frame_writer.h"

#include "core/base/error.h"
#include "core/protocol/frame_reader.h"

#include <cerrno>
#include <string>
#include <unistd.h>
#include <utility>

namespace calibscope::serve {

namespace {

std::uint64_t idOf(const ToClient& message)
{
    const auto* reply = std::get_if<Reply>(&message);
    return reply != nullptr ? reply->id : 0;
}

std::string frameOf(ToClient message)
{
    const std::uint64_t id = idOf(message);
    try {
        return toFrame(toJson(std::move(message)));
    } catch (const Error& error) {
        return toFrame(
            toJson(Reply{.id = id,
                         .result = {},
                         .failure = Failure{.message = error.what(), .fault = error.fault()}}));
    }
}

}  // namespace

void FrameWriter::writePreamble()
{
    const std::scoped_lock lock(m_mutex);
    (void)writeAll(preamble);
}

bool FrameWriter::write(ToClient message)
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

}  // namespace calibscope::serve
