#pragma once

#include <cstddef>
#include <memory>
#include <string>

namespace calibscope::mpi {

/// What a launcher (mpirun, srun) has told this process.
struct Launched
{
    std::size_t count = 1;  ///< processes that it started; 1 without one
    std::size_t rank = 0;   ///< of this one, before MPI tells
    std::string variable;   ///< that tells the count
};

[[nodiscard]] Launched launched();

/// Whether this program can connect ranks: the build's option CALIBSCOPE_MPI.
[[nodiscard]] bool isBuiltIn();

/// The parent's side of RelayedRanks. Rank 0's hands out work by a thread of its own and writes a
/// line on how far it is to stderr, every 10 s, or 60 s where that is no terminal.
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
