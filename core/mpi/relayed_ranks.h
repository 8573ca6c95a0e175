// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/progress.h"
#include "core/spread/ranks.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// Ranks that are connected by MPI. MPI is spoken by the process that watches; the one that reads
/// dumps, under guard, asks it through a socket for all that concerns other ranks.
namespace calibscope::mpi {

/// What is asked for, the first byte of a message; and answers.
enum class Asked : char { Exchange = 'x', Begin = 'b', Next = 'n', Takes = 't', End = 'e' };

/// Whole messages through a socket between parent and child: eight bytes of length, then as many.
class RelaySocket
{
public:
    explicit RelaySocket(int descriptor) : m_descriptor(descriptor) {}

    /// False where the other side is gone.
    [[nodiscard]] bool write(std::string_view message) const;
    /// Nothing where the other side is gone. Calls `wait` about every 200 ms until the message
    /// begins.
    [[nodiscard]] std::optional<std::string> read(const Progress& wait = {}) const;

private:
    int m_descriptor;
};

/// The child's side.
class RelayedRanks : public spread::Ranks
{
public:
    /// Waits until the ranks are connected; `wait` makes a step meanwhile, as it does while others
    /// are waited for. Throws Error(Usage) where they can't be.
    RelayedRanks(int descriptor, Progress wait);

    [[nodiscard]] std::size_t rank() const override { return m_rank; }
    [[nodiscard]] std::size_t size() const override { return m_size; }
    [[nodiscard]] std::vector<std::string> exchange(std::vector<std::string> toEach) override;
    void begin(const std::string& what, const std::vector<spread::HandedOut>& pieces) override;
    [[nodiscard]] std::optional<std::size_t> next() override;
    void takes(std::size_t piece) override;
    void end() override;

private:
    [[nodiscard]] std::vector<std::string> answerTo(Asked asked, std::string_view body) const;

    RelaySocket m_socket;
    Progress m_wait;
    std::size_t m_rank = 0;
    std::size_t m_size = 1;
};

}  // namespace calibscope::mpi
