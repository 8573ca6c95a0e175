// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mpi/relayed_ranks.h"

#include "core/base/error.h"

#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <utility>

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace calibscope::mpi {

namespace {

using Length = std::array<char, sizeof(std::uint64_t)>;

/// Both sides are one machine: as it is in memory.
Length lengthBytes(std::uint64_t length)
{
    Length bytes{};
    std::memcpy(bytes.data(), &length, sizeof length);
    return bytes;
}

std::uint64_t lengthFrom(const char* bytes)
{
    std::uint64_t length = 0;
    std::memcpy(&length, bytes, sizeof length);
    return length;
}

bool writeAll(int descriptor, std::string_view bytes)
{
    while (!bytes.empty()) {
        // The other side may have crashed: that is reported by its end, not by a signal to this one.
        const ssize_t written = ::send(descriptor, bytes.data(), bytes.size(), MSG_NOSIGNAL);
        if (written < 0 && errno != EINTR)
            return false;
        if (written > 0)
            bytes.remove_prefix(static_cast<std::size_t>(written));
    }
    return true;
}

bool readAll(int descriptor, std::span<char> bytes)
{
    while (!bytes.empty()) {
        const ssize_t count = ::read(descriptor, bytes.data(), bytes.size());
        if (count == 0 || (count < 0 && errno != EINTR))
            return false;
        if (count > 0)
            bytes = bytes.subspan(static_cast<std::size_t>(count));
    }
    return true;
}

std::size_t numberIn(const std::string& text)
{
    std::size_t number = 0;
    std::from_chars(text.data(), text.data() + text.size(), number);
    return number;
}

}  // namespace

bool RelaySocket::write(std::string_view message) const
{
    const Length length = lengthBytes(message.size());
    return writeAll(m_descriptor, {length.data(), length.size()}) &&
           writeAll(m_descriptor, message);
}

std::optional<std::string> RelaySocket::read(const Progress& wait) const
{
    constexpr int waitMs = 200;
    pollfd begins{.fd = m_descriptor, .events = POLLIN, .revents = 0};
    while (::poll(&begins, 1, waitMs) == 0)
        wait.step(0, 0, "");
    Length length{};
    if (!readAll(m_descriptor, length))
        return std::nullopt;
    std::string message(lengthFrom(length.data()), '\0');
    if (!readAll(m_descriptor, message))
        return std::nullopt;
    return message;
}

RelayedRanks::RelayedRanks(int descriptor, Progress wait)
    : m_socket(descriptor), m_wait(std::move(wait))
{
    const std::optional<std::string> hello = m_socket.read(m_wait);
    const auto told = hello ? spread::unpacked(*hello) : std::vector<std::string>();
    if (told.size() != 2)
        throw Error(Fault::Usage,
                    told.size() == 1 ? told.front() : "the ranks cannot be connected");
    m_rank = numberIn(told.front());
    m_size = numberIn(told.back());
}

std::vector<std::string> RelayedRanks::answerTo(Asked asked, std::string_view body) const
{
    std::string message(1, static_cast<char>(asked));
    message += body;
    const bool isSent = m_socket.write(message);
    const std::optional<std::string> answer = isSent ? m_socket.read(m_wait) : std::nullopt;
    if (!answer)
        throw Error(Fault::Input, "the other ranks are gone");
    return spread::unpacked(*answer);
}

std::vector<std::string> RelayedRanks::exchange(std::vector<std::string> toEach)
{
    return answerTo(Asked::Exchange, spread::packed(toEach));
}

void RelayedRanks::begin(const std::string& what, const std::vector<spread::HandedOut>& pieces)
{
    std::vector<std::string> texts{what};
    for (const spread::HandedOut& piece : pieces) {
        texts.push_back(std::to_string(piece.bytes));
        texts.push_back(piece.name);
    }
    static_cast<void>(answerTo(Asked::Begin, spread::packed(texts)));
}

std::optional<std::size_t> RelayedRanks::next()
{
    const std::vector<std::string> answer = answerTo(Asked::Next, {});
    return answer.empty() ? std::nullopt : std::optional(numberIn(answer.front()));
}

void RelayedRanks::takes(std::size_t piece)
{
    static_cast<void>(answerTo(Asked::Takes, std::to_string(piece)));
}

void RelayedRanks::end()
{
    static_cast<void>(answerTo(Asked::End, {}));
}

}  // namespace calibscope::mpi
