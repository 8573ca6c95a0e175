// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <memory>
#include <string>

namespace calibscope::mpi {

/// What a launcher (mpirun, srun) has told this process.
struct Launched
{
    std::size_t count = 1;        ///< processes that it started; 1 without one
    std::size_t rank = 0;         ///< of this one, before MPI tells
    std::string variable;         ///< that tells the count
    bool isToldOfOthers = false;  ///< the launcher has set some variable of PMI or PMIx
};

[[nodiscard]] Launched launched();

/// Why this program can't connect what was launched, as far as is known before it tries: it was
/// built without MPI, or the launcher tells its processes nothing of each other. Else empty.
[[nodiscard]] std::string whyNotConnected(const Launched& launched);

/// Ends all ranks with this exit code, from one that has met a fault before it was connected: the
/// others wait for it, and not every launcher ends them when one has failed.
[[noreturn]] void endAll(int code);

/// The parent's side of RelayedRanks. Rank 0's hands out work by a thread of its own and writes a
/// line on how far it is to stderr, every 10 s, or 60 s where that is not a terminal.
class RankServer
{
public:
    /// `descriptor`: the parent's end of the socket.
    explicit RankServer(int descriptor);
    RankServer(const RankServer&) = delete;
    RankServer& operator=(const RankServer&) = delete;
    ~RankServer();

    /// Begins to serve, in a thread that connects the ranks first. For a program that forks no
    /// more.
    void start();
    /// When the child has ended: whether it did so with all others, so that the ranks have parted.
    [[nodiscard]] bool hasParted();
    [[nodiscard]] std::size_t rank() const;
    /// Ends all ranks; the launcher's exit code is this one.
    [[noreturn]] void abort(int code);

private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

}  // namespace calibscope::mpi
