// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/dump/structure/file_blocks.h"

#include <algorithm>
#include <cerrno>

#include <unistd.h>

namespace calibscope::structure {

std::size_t readAt(int descriptor, std::uint64_t place, char* room, std::size_t count)
{
    std::size_t done = 0;
    while (done < count) {
        const ssize_t got =
            ::pread(descriptor, room + done, count - done, static_cast<off_t>(place + done));
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            break;
        done += static_cast<std::size_t>(got);
    }
    return done;
}

BlockSizes blockSizesFor(std::uint64_t pageBytes)
{
    // Longer ones than of a quarter of a MiB save few reads more, and cost much where an object's
    // header alone is wanted.
    constexpr std::uint64_t longest = std::uint64_t{256} << 10;
    constexpr std::uint64_t mostTogether = std::uint64_t{8} << 20;
    BlockSizes sizes;
    if (pageBytes <= sizes.bytes)
        return sizes;
    sizes.bytes = std::min(pageBytes, longest);
    sizes.most = mostTogether / sizes.bytes;
    return sizes;
}

void FileBlocks::set(const BlockSizes& sizes)
{
    m_sizes = sizes;
    std::vector<Block>().swap(m_blocks);
    m_latest = 0;
}

bool FileBlocks::has(std::uint64_t number) const
{
    return (m_latest < m_blocks.size() && m_blocks[m_latest].number == number) ||
           std::ranges::find(m_blocks, number, &Block::number) != m_blocks.end();
}

const std::string& FileBlocks::block(int descriptor, std::uint64_t number)
{
    if (m_latest >= m_blocks.size() || m_blocks[m_latest].number != number) {
        auto found = std::ranges::find(m_blocks, number, &Block::number);
        if (found == m_blocks.end()) {
            if (m_blocks.size() < m_sizes.most)
                found = m_blocks.emplace(m_blocks.end());
            else
                found = std::ranges::min_element(m_blocks, {}, &Block::lastUse);
            found->number = number;
            found->bytes.resize(m_sizes.bytes);
            found->bytes.resize(
                readAt(descriptor, number * m_sizes.bytes, found->bytes.data(), m_sizes.bytes));
        }
        m_latest = static_cast<std::size_t>(found - m_blocks.begin());
    }
    m_blocks[m_latest].lastUse = ++m_uses;
    return m_blocks[m_latest].bytes;
}

}  // namespace calibscope::structure
