// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/dump/structure/stored_bytes.h"

#include <algorithm>
#include <array>
#include <bit>

namespace calibscope::structure {

namespace {

constexpr std::uint64_t mostBlockBytes = std::uint64_t{64} << 20;  // no writer makes larger ones

std::uint32_t word(const char* bytes)
{
    std::uint32_t value = 0;
    for (int byte = 3; byte >= 0; --byte)
        value = value << 8 | static_cast<unsigned char>(bytes[byte]);
    return value;
}

}  // namespace

std::uint32_t lookup3(std::string_view bytes)
{
    std::uint32_t a = 0xdeadbeef + static_cast<std::uint32_t>(bytes.size());
    std::uint32_t b = a;
    std::uint32_t c = a;
    while (bytes.size() > 12) {
        a += word(bytes.data());
        b += word(bytes.data() + 4);
        c += word(bytes.data() + 8);
        a = (a - c) ^ std::rotl(c, 4), c += b;
        b = (b - a) ^ std::rotl(a, 6), a += c;
        c = (c - b) ^ std::rotl(b, 8), b += a;
        a = (a - c) ^ std::rotl(c, 16), c += b;
        b = (b - a) ^ std::rotl(a, 19), a += c;
        c = (c - b) ^ std::rotl(b, 4), b += a;
        bytes.remove_prefix(12);
    }
    if (bytes.empty())
        return c;
    std::array<char, 12> last{};
    std::ranges::copy(bytes, last.begin());
    a += word(last.data());
    b += word(last.data() + 4);
    c += word(last.data() + 8);
    c = (c ^ b) - std::rotl(b, 14);
    a = (a ^ c) - std::rotl(c, 11);
    b = (b ^ a) - std::rotl(a, 25);
    c = (c ^ b) - std::rotl(b, 16);
    a = (a ^ c) - std::rotl(c, 4);
    b = (b ^ a) - std::rotl(a, 14);
    c = (c ^ b) - std::rotl(b, 24);
    return c;
}

void StoredBlock::requireChecksum([[maybe_unused]] std::size_t end) const
{
#ifndef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION  // a fuzzer would not come past it
    if (end < 4 || end > bytes.size() ||
        lookup3(std::string_view(bytes).substr(0, end - 4)) != word(bytes.data() + end - 4))
        throw Damage{place, "the structure there has a wrong checksum"};
#endif
}

StoredBytes::StoredBytes(int descriptor, std::uint64_t fileBytes)
    : m_descriptor(descriptor), m_fileBytes(fileBytes), m_end(fileBytes)
{}

void StoredBytes::setSpace(std::uint64_t base, std::uint64_t end, const Widths& widths)
{
    m_base = std::min(base, m_fileBytes);
    m_end = std::min(end, m_fileBytes - m_base);
    m_widths = widths;
}

const std::string& StoredBytes::block(std::uint64_t number)
{
    if (!m_blocks.has(number))
        beat();
    return m_blocks.block(m_descriptor, number);
}

void StoredBytes::beat() const
{
    if (m_progress != nullptr)
        m_progress->step(0, 0, "");
}

StoredBlock StoredBytes::look(std::uint64_t address, std::uint64_t count)
{
    if (!isInside(address, count))
        throw Damage{placeOf(std::min(address, m_end)), "the structure there is not in the file"};
    if (count > mostBlockBytes)
        throw Damage{placeOf(address), "the structure there is too large"};
    StoredBlock block{.bytes = {}, .place = placeOf(address), .widths = m_widths};
    const std::size_t blockBytes = m_blocks.sizes().bytes;
    if (count >= blockBytes) {
        beat();
        block.bytes.resize(count);
        block.bytes.resize(
            readAt(m_descriptor, block.place, block.bytes.data(), block.bytes.size()));
    }
    for (std::uint64_t done = block.bytes.size(); count < blockBytes && done < count;) {
        const std::uint64_t place = block.place + done;
        const std::string_view bytes = this->block(place / blockBytes);
        const std::size_t first = static_cast<std::size_t>(place % blockBytes);
        if (first >= bytes.size())
            break;
        block.bytes += bytes.substr(first, static_cast<std::size_t>(count - done));
        done = block.bytes.size();
    }
    if (block.bytes.size() < count)
        throw Damage{block.place, "the file became shorter while it was read"};
    return block;
}

StoredBlock StoredBytes::take(std::uint64_t address, std::uint64_t count)
{
    claimMetadata(address, count);
    return look(address, count);
}

void StoredBytes::spend(std::uint64_t place, std::uint64_t count)
{
    // Little is used twice in a sound file; this bounds the work on one where all leads to one.
    if (count > 3 * m_fileBytes - m_spent)
        throw Damage{place, "its structures need more bytes than the file has"};
    m_spent += count;
}

void StoredBytes::claim(std::uint64_t address, std::uint64_t count, bool isValues)
{
    if (!isInside(address, count))
        throw Damage{placeOf(std::min(address, m_end)), "the structure there is not in the file"};
    spend(placeOf(address), count);
    constexpr std::uint64_t claimsOfABeat = 4096;
    if (++m_claimed % claimsOfABeat == 0)
        beat();
    if (count == 0)
        return;
    if (!m_claims.empty() && m_claims.back().last == address && m_claims.back().owner == m_owner &&
        m_claims.back().isValues == isValues)
        m_claims.back().last += count;
    else {
        constexpr std::size_t few = std::size_t{1} << 16;
        if (m_claims.size() >= few && m_claims.size() == m_claims.capacity())
            joinClaims();
        m_claims.push_back(
            {.first = address, .last = address + count, .owner = m_owner, .isValues = isValues});
    }
}

/// Batches of many tensors that were written in turn claim chunks that meet only once all are
/// known.
void StoredBytes::joinClaims()
{
    std::ranges::sort(m_claims, {}, &Claim::first);
    std::size_t last = 0;
    for (std::size_t index = 1; index < m_claims.size(); ++index) {
        Claim& one = m_claims[last];
        const Claim& next = m_claims[index];
        if (one.last == next.first && one.owner == next.owner && one.isValues == next.isValues)
            one.last = next.last;
        else
            m_claims[++last] = next;
    }
    m_claims.resize(last + 1);
    if (m_claims.size() > m_claims.capacity() / 2)  // else it would be sorted again soon
        m_claims.reserve(2 * m_claims.capacity());
}

std::map<std::uint64_t, std::uint64_t> StoredBytes::sharers()
{
    std::ranges::sort(m_claims, {}, &Claim::first);
    std::map<std::uint64_t, std::uint64_t> found;
    for (std::size_t index = 1, farthest = 0; index < m_claims.size(); ++index) {
        const Claim& one = m_claims[farthest];
        const Claim& other = m_claims[index];
        if (other.first < one.last) {
            if (one.isValues || !other.isValues)
                found.emplace(one.owner, placeOf(other.first));
            if (other.isValues || !one.isValues)
                found.emplace(other.owner, placeOf(other.first));
        }
        if (other.last > one.last)
            farthest = index;
    }
    return found;
}

}  // namespace calibscope::structure
