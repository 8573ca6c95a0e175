// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace calibscope::spread {

/// A piece of work, as far as who hands it out has to know it.
struct HandedOut
{
    std::uint64_t bytes = 0;
    std::string name;  ///< for who asks what is slow: "run/rank3.h5:/activations/a1"
};

/// Several processes that share work, numbered from 0 on. All of them make the same calls of
/// exchange() and begin() in the same order.
class Ranks
{
public:
    Ranks() = default;
    Ranks(const Ranks&) = delete;
    Ranks& operator=(const Ranks&) = delete;
    virtual ~Ranks() = default;

    [[nodiscard]] virtual std::size_t rank() const = 0;
    [[nodiscard]] virtual std::size_t size() const = 0;
    /// Sends each rank, this one included, its bytes; what each has sent to this one, by rank.
    /// Waits for all.
    [[nodiscard]] virtual std::vector<std::string> exchange(std::vector<std::string> toEach) = 0;
    /// Begins a round in which next() hands out these pieces, in their order; they are the same on
    /// all ranks. `what` is done with them, for who looks on. To be followed by an exchange().
    virtual void begin(const std::string& what, const std::vector<HandedOut>& pieces) = 0;
    /// The next piece for this rank, to no other; nothing where none is left.
    [[nodiscard]] virtual std::optional<std::size_t> next() = 0;
    /// In a round in which each takes the pieces that it knows to be its own: tells which.
    virtual void takes(std::size_t piece) = 0;
    /// All is done, here and when it comes back on all others: they part. A rank that ends without
    /// it ends all of them.
    virtual void end() = 0;
};

/// The only one.
class LoneRank : public Ranks
{
public:
    [[nodiscard]] std::size_t rank() const override { return 0; }
    [[nodiscard]] std::size_t size() const override { return 1; }
    [[nodiscard]] std::vector<std::string> exchange(std::vector<std::string> toEach) override
    {
        return toEach;
    }
    void begin(const std::string&, const std::vector<HandedOut>& pieces) override
    {
        m_next = 0;
        m_count = pieces.size();
    }
    [[nodiscard]] std::optional<std::size_t> next() override
    {
        return m_next < m_count ? std::optional(m_next++) : std::nullopt;
    }
    void takes(std::size_t) override {}
    void end() override {}

private:
    std::size_t m_next = 0;
    std::size_t m_count = 0;
};

/// Byte strings as one.
[[nodiscard]] std::string packed(std::span<const std::string> texts);
/// The strings again. Throws Error(Input) for bytes that are none.
[[nodiscard]] std::vector<std::string> unpacked(std::string_view bytes);

/// What each rank has, on all of them, by rank.
[[nodiscard]] inline std::vector<std::string> gatheredFrom(Ranks& ranks, const std::string& own)
{
    return ranks.exchange(std::vector<std::string>(ranks.size(), own));
}

}  // namespace calibscope::spread
