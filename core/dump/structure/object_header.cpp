// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/dump/structure/object_header.h"

#include <algorithm>
#include <set>

namespace calibscope::structure {

namespace {

constexpr std::size_t mostChunks = 65536;

constexpr unsigned lastKnownType = 0x18;
constexpr unsigned unknownFlags = 0xF8;  // what to do, or was done, where the type is unknown

/// Steps over the body of a message of which nothing else is read; padding may be left.
void skipBody(unsigned type, StoredReader& at)
{
    switch (type) {
    case message::groupInfo: {
        at.version(0);
        const unsigned flags = at.u8();
        at.require(flags < 4, "a message of its header is invalid for its type");
        at.skip(((flags & 1U) != 0 ? 4U : 0U) + ((flags & 2U) != 0 ? 4U : 0U));
        break;
    }
    case message::comment: static_cast<void>(at.text()); break;
    case message::oldTime: {
        const std::string_view digits = at.bytes(14);
        at.require(std::ranges::all_of(digits, [](char one) { return one >= '0' && one <= '9'; }),
                   "a message of its header is invalid for its type");
        at.skip(2);
        break;
    }
    case message::time:
        at.version(1);
        at.skip(7);
        break;
    case message::references:
        at.version(0);
        at.skip(4);
        break;
    default: at.skip(at.left());
    }
}

bool mayRepeat(unsigned type)
{
    return type == message::link || type == message::attribute || type > lastKnownType;
}

/// Whether a message of that type belongs into the header of an object at all.
bool isOfObjects(const StoredMessage& one)
{
    switch (one.type) {
    case 0x09:  // for tests of libraries
    case message::sharedTable:
    case message::treeEntries:
    case 0x14:  // of drivers
    case 0x17:  // of free space
    case message::cacheImage: return false;
    default: return one.type <= lastKnownType || (one.flags & unknownFlags) != 0;
    }
}

void checkMessage(const StoredMessage& one, std::uint64_t& seen)
{
    one.body.require(isOfObjects(one), "a message of its header is of no known type");
    if (!one.isShared()) {
        StoredReader body = one.body;
        skipBody(one.type, body);
        one.body.require(body.left() < 8, "a message of its header is invalid for its type");
    }
    const std::uint64_t bit = one.type < 64 ? std::uint64_t{1} << one.type : 0;
    one.body.require(mayRepeat(one.type) || (seen & bit) == 0,
                     "its header has the same message twice");
    seen |= bit;
}

/// Reads a header chunk by chunk.
class HeaderReading
{
public:
    HeaderReading(StoredBytes& file, std::uint64_t address)
        : m_file(file), m_address(address), m_isTaken(file.owner() == address)
    {}

    ObjectHeader run()
    {
        const StoredBlock start = m_file.look(m_address, 1);
        if (start.bytes[0] == 'O')
            readLatest();
        else
            readEarliest();
        for (std::size_t next = 0; next < m_continuations.size(); ++next) {
            const Stretch stretch = m_continuations[next];
            if (m_continuations.size() > mostChunks || !m_known.insert(stretch.address).second)
                throw Damage{m_file.placeOf(stretch.address), "its header is cyclic"};
            if (m_isLatest)
                readLatestChunk(stretch, 4);
            else
                readMessages(stretch.address, stretch.bytes, 0, 0);
        }
        return std::move(m_header);
    }

private:
    struct Stretch
    {
        std::uint64_t address;
        std::uint64_t bytes;
    };

    StoredBlock bytesAt(std::uint64_t address, std::uint64_t count)
    {
        if (m_isTaken)
            return m_file.take(address, count);
        m_file.spend(m_file.placeOf(address), count);
        return m_file.look(address, count);
    }

    void readEarliest()
    {
        const StoredBlock prefix = bytesAt(m_address, 16);
        StoredReader at = prefix.reader();
        at.version(1);
        at.skip(3);
        m_header.links = at.u32();
        const std::uint64_t bytes = at.u32();
        readMessages(m_address + 16, bytes, 0, 0);
    }

    void readLatest()
    {
        const StoredBlock prefix =
            m_file.look(m_address, std::min<std::uint64_t>(64, m_file.end() - m_address));
        StoredReader at = prefix.reader();
        at.signature("OHDR");
        at.version(2);
        const unsigned flags = at.u8();
        m_isLatest = true;
        m_hasOrder = (flags & 4U) != 0;
        at.skip(((flags & 0x20U) != 0 ? 16U : 0U) + ((flags & 0x10U) != 0 ? 4U : 0U));
        const std::uint64_t bytes = at.number(std::size_t{1} << (flags & 3U));
        const std::uint64_t prefixBytes = at.place() - prefix.place;
        at.require(m_file.isInside(m_address, bytes), "its header is not all in the file");
        readLatestChunk({.address = m_address, .bytes = prefixBytes + bytes + 4}, prefixBytes);
    }

    void readLatestChunk(const Stretch& stretch, std::uint64_t prefixBytes)
    {
        readMessages(stretch.address, stretch.bytes, prefixBytes, 4);
    }

    /// The messages of a chunk between what stands before and behind them.
    void readMessages(std::uint64_t address, std::uint64_t bytes, std::uint64_t before,
                      std::uint64_t behind)
    {
        StoredBlock block = bytesAt(address, bytes);
        StoredReader whole = block.reader();
        whole.require(bytes >= before + behind, "a part of its header is too short");
        if (m_isLatest) {
            block.requireChecksum(block.bytes.size());
            if (address != m_address)
                whole.signature("OCHK");
        }
        const std::string& kept = m_header.chunks.emplace_back(std::move(block.bytes));
        StoredReader at(std::string_view(kept).substr(before, bytes - before - behind),
                        block.place + before, m_file.widths());
        const std::size_t prefix = !m_isLatest ? 8 : m_hasOrder ? 6 : 4;
        while (at.left() >= prefix)
            readMessage(at);
        at.require(m_isLatest || at.left() == 0, "a part of its header breaks off");
    }

    void readMessage(StoredReader& at)
    {
        const unsigned type = m_isLatest ? at.u8() : at.u16();
        const unsigned bytes = at.u16();
        const unsigned flags = at.u8();
        at.skip(!m_isLatest ? 3 : m_hasOrder ? 2 : 0);
        at.require(m_isLatest || bytes % 8 == 0, "a message of its header is not aligned");
        StoredReader body = at.part(bytes);
        if (type == message::continuation) {
            const std::uint64_t address = body.address();
            m_continuations.push_back({.address = address, .bytes = body.length()});
        } else if (type != 0) {
            if (type == message::references && body.left() >= 5) {
                StoredReader count = body;
                count.skip(1);
                m_header.links = count.u32();
            }
            m_header.messages.push_back({.type = type, .flags = flags, .body = body});
        }
    }

    StoredBytes& m_file;
    std::uint64_t m_address;
    bool m_isTaken;
    bool m_isLatest = false;
    bool m_hasOrder = false;
    std::vector<Stretch> m_continuations;
    std::set<std::uint64_t> m_known;
    ObjectHeader m_header;
};

}  // namespace

void checkKinds(const ObjectHeader& header, std::uint64_t place)
{
    std::uint64_t seen = 0;
    for (const StoredMessage& one : header.messages)
        checkMessage(one, seen);
    const auto has = [&](unsigned type) { return header.first(type) != nullptr; };
    if (!has(message::symbolTable) && !has(message::linkInfo) && !has(message::datatype) &&
        !has(message::layout))
        throw Damage{place, "its header is not that of a group, dataset or type"};
}

const StoredMessage* ObjectHeader::first(unsigned type) const
{
    const auto found = std::ranges::find(messages, type, &StoredMessage::type);
    return found == messages.end() ? nullptr : &*found;
}

ObjectHeader readObjectHeader(StoredBytes& file, std::uint64_t address)
{
    return HeaderReading(file, address).run();
}

}  // namespace calibscope::structure
