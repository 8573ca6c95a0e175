#include "core/engine/input_bytes.h"

#include <cerrno>
#include <poll.h>
#include <unistd.h>

namespace calibscope::engine {

std::optional<std::string> nextBytes(int descriptor, const std::function<bool()>& isOver)
{
    constexpr int askedEveryMs = 500;
    // A parent that dies closes its end of the pipe, unless another of its children holds it too.
    static const pid_t parent = ::getppid();
    std::string bytes(std::size_t{64} << 10, '\0');
    while (!isOver() && ::getppid() == parent) {
        pollfd input{.fd = descriptor, .events = POLLIN, .revents = 0};
        const int ready = ::poll(&input, 1, askedEveryMs);
        if (ready == 0 || (ready < 0 && errno == EINTR))
            continue;
        const ssize_t count = ready < 0 ? -1 : ::read(descriptor, bytes.data(), bytes.size());
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0)
            return std::nullopt;
        bytes.resize(static_cast<std::size_t>(count));
        return bytes;
    }
    return std::nullopt;
}

}  // namespace calibscope::engine
