#include "core/engine/own_pipes.h"

#include "core/base/error.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <string>
#include <unistd.h>

namespace calibscope::engine {

OwnPipes takeStandardPipes()
{
    if (::isatty(STDIN_FILENO) != 0 || ::isatty(STDOUT_FILENO) != 0)
        throw Error(Fault::Usage,
                    "serve: standard input and output are a terminal; the application starts this "
                    "command itself; on the command line use the others");
    constexpr int leastOwn = 10;
    const OwnPipes own{.input = ::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, leastOwn),
                       .output = ::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, leastOwn)};
    const int nothing = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (own.input < 0 || own.output < 0 || nothing < 0 || ::dup2(nothing, STDIN_FILENO) < 0 ||
        ::dup2(STDERR_FILENO, STDOUT_FILENO) < 0)
        throw Error(Fault::Output,
                    std::string("serve: its pipes can't be set up: ") + std::strerror(errno));
    ::close(nothing);
#ifdef F_SETPIPE_SZ
    // Large replies travel twice as fast through 1 MiB as through the usual 64 KiB; where it is
    // refused, or no pipe, all works as well.
    constexpr int roomyPipe = 1 << 20;
    (void)::fcntl(own.output, F_SETPIPE_SZ, roomyPipe);
#endif
    return own;
}

}  // namespace calibscope::engine
