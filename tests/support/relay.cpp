// SPDX-License-Identifier: GPL-3.0-or-later
// relay MILLISECONDS PROGRAM ARGUMENT...: runs the program and passes on its standard input and
// output, each byte that much later, as a line between two machines does. Ends as the program does.
// Nothing is lost, and as much passes at a time as is wanted.
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <deque>
#include <string>
#include <utility>

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

namespace {

using Clock = std::chrono::steady_clock;

class Line
{
public:
    Line(int from, int to, Clock::duration delay) : m_from(from), m_to(to), m_delay(delay) {}

    /// To wait for: -1 once the input has ended.
    [[nodiscard]] int input() const { return m_from; }
    [[nodiscard]] bool isOver() const { return m_to < 0; }
    /// Until something is to be written; negative: nothing waits.
    [[nodiscard]] int waitMs() const
    {
        if (m_to < 0 || (m_pieces.empty() && m_from >= 0))
            return -1;
        if (m_pieces.empty())
            return 0;
        const auto left =
            std::chrono::ceil<std::chrono::milliseconds>(m_pieces.front().due - Clock::now());
        return left.count() > 0 ? static_cast<int>(left.count()) : 0;
    }

    void take()
    {
        std::array<char, 65536> bytes{};
        const ssize_t count = ::read(m_from, bytes.data(), bytes.size());
        if (count < 0 && (errno == EINTR || errno == EAGAIN))
            return;
        if (count <= 0) {
            m_pieces.push_back({Clock::now() + m_delay, {}});  // its end travels, too
            m_from = -1;
            return;
        }
        m_pieces.push_back(
            {Clock::now() + m_delay, std::string(bytes.data(), static_cast<std::size_t>(count))});
    }

    void passOn()
    {
        while (m_to >= 0 && !m_pieces.empty() && m_pieces.front().due <= Clock::now()) {
            const Piece piece = std::move(m_pieces.front());
            m_pieces.pop_front();
            if (piece.bytes.empty() || !writeAll(piece.bytes)) {
                ::close(m_to);
                m_to = -1;
            }
        }
    }

private:
    struct Piece
    {
        Clock::time_point due;
        std::string bytes;
    };

    [[nodiscard]] bool writeAll(const std::string& bytes) const
    {
        for (std::size_t done = 0; done < bytes.size();) {
            const ssize_t written = ::write(m_to, bytes.data() + done, bytes.size() - done);
            if (written < 0 && errno != EINTR)
                return false;
            if (written > 0)
                done += static_cast<std::size_t>(written);
        }
        return true;
    }

    int m_from;
    int m_to;
    Clock::duration m_delay;
    std::deque<Piece> m_pieces;
};

}  // namespace

int main(int count, char** arguments)
{
    if (count < 3)
        return 2;
    std::signal(SIGPIPE, SIG_IGN);
    std::array<int, 2> toChild{};
    std::array<int, 2> fromChild{};
    if (::pipe2(toChild.data(), O_CLOEXEC) != 0 || ::pipe2(fromChild.data(), O_CLOEXEC) != 0)
        return 2;
    const pid_t child = ::fork();
    if (child == 0) {
        ::dup2(toChild[0], STDIN_FILENO);
        ::dup2(fromChild[1], STDOUT_FILENO);
        ::execvp(arguments[2], arguments + 2);
        ::_exit(127);
    }
    ::close(toChild[0]);
    ::close(fromChild[1]);
    const std::chrono::milliseconds delay(std::atoi(arguments[1]));
    Line there(STDIN_FILENO, toChild[1], delay);
    Line back(fromChild[0], STDOUT_FILENO, delay);
    while (!back.isOver()) {
        std::array<pollfd, 2> inputs{pollfd{.fd = there.input(), .events = POLLIN, .revents = 0},
                                     pollfd{.fd = back.input(), .events = POLLIN, .revents = 0}};
        int waitMs = -1;
        for (const Line* line : {&there, &back})
            if (const int next = line->waitMs(); next >= 0 && (waitMs < 0 || next < waitMs))
                waitMs = next;
        ::poll(inputs.data(), inputs.size(), waitMs);
        if (inputs[0].revents != 0)
            there.take();
        if (inputs[1].revents != 0)
            back.take();
        there.passOn();
        back.passOn();
    }
    int status = 0;
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
