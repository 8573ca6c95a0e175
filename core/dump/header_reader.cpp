// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/dump/header_reader.h"

#include "core/base/error.h"
#include "core/base/number_text.h"
#include "core/dump/element_locations.h"
#include "core/dump/file_check.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include <sys/stat.h>

namespace calibscope {

HeaderReader::HeaderReader(std::string path) : m_path(std::move(path)), m_open(m_path)
{
    struct stat status
    {
    };
    if (!m_open.isOpen() || ::fstat(m_open.number(), &status) != 0 || !S_ISREG(status.st_mode))
        fail("cannot be read, or is not a file");
    m_bytes = static_cast<std::uint64_t>(status.st_size);
}

void HeaderReader::fail(const std::string& what) const
{
    throw Error(Fault::Input, m_path + ": " + what);
}

std::string HeaderReader::stamp() const
{
    return stampOf(m_open.number());
}

std::optional<std::string> HeaderReader::text(std::uint64_t length, std::uint64_t most)
{
    constexpr std::uint64_t longestText = std::uint64_t{1} << 30U;
    if (length > longestText)
        fail("its header is damaged: a text in it has " + numberText(length) + " bytes");
    if (length > most) {
        skip(length);
        return std::nullopt;
    }
    requireLeft(length);
    std::string read(length, '\0');
    take(std::as_writable_bytes(std::span(read)));
    return read;
}

void HeaderReader::skip(std::uint64_t count)
{
    requireLeft(count);
    if (count <= m_held.size() - m_next) {
        m_next += count;
        return;
    }
    m_first = at() + count;
    m_held.clear();
    m_next = 0;
}

void HeaderReader::requireLeft(std::uint64_t count) const
{
    if (count > left())
        fail("is truncated within its header, or damaged");
}

void HeaderReader::take(std::span<std::byte> into)
{
    requireLeft(into.size());
    while (!into.empty()) {
        if (m_next == m_held.size())
            hold();
        const std::size_t some = std::min(into.size(), m_held.size() - m_next);
        std::memcpy(into.data(), m_held.data() + m_next, some);
        m_next += some;
        into = into.subspan(some);
    }
}

void HeaderReader::hold()
{
    constexpr std::uint64_t heldBytes = std::uint64_t{64} << 10U;
    m_first += m_next;
    m_next = 0;
    m_held.resize(std::min(heldBytes, m_bytes - m_first));
    readAt(m_open.number(), m_first, m_held, m_path + ": ");
}

}  // namespace calibscope
