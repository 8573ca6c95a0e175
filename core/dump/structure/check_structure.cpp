// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/dump/structure/check_structure.h"

#include "core/base/error.h"
#include "core/base/number_text.h"
#include "core/base/open_descriptor.h"
#include "core/dump/structure/fractal_heap.h"
#include "core/dump/structure/local_heap.h"
#include "core/dump/structure/object_header.h"
#include "core/dump/structure/structure_parts.h"
#include "core/dump/structure/superblock.h"
#include "core/dump/structure/tree_one.h"
#include "core/dump/structure/tree_two.h"

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace calibscope::structure {

namespace {

/// Targets of the links of a group.
struct GroupLinks
{
    struct Member
    {
        std::string name;
        std::uint64_t object = 0;
    };
    std::vector<Member> members;   ///< by hard links, as far as they are sound
    std::optional<Damage> damage;  ///< the first: there may be more members
    std::string doubt;             ///< what is odd, if nothing is damaged: a sentence, or empty
};

constexpr unsigned nameTree = 5;
constexpr unsigned orderTree = 6;

class LinkCheck
{
public:
    LinkCheck(StoredBytes& file, const SuperblockFacts& superblock)
        : m_file(file), m_superblock(superblock)
    {}

    void checkTable(StoredReader at)
    {
        const std::uint64_t tree = at.address();
        LocalHeap heap(m_file, at.address());
        const TreeOneShape shape{.type = 0,
                                 .keyBytes = m_file.widths().length,
                                 .mostEntries = 2 * std::uint64_t{m_superblock.groupK}};
        const bool areEndsEmpty = walkTreeOne(m_file, tree, shape, [&](const TreeOneEntry& entry) {
            guard([&] {
                StoredReader low = entry.lowKey;
                StoredReader high = entry.highKey;
                m_low = heap.text(low.length());
                m_high = heap.text(high.length());
                if (entry.level == 0)
                    checkNode(entry.child, heap);
            });
        });
        // Room that is used no more is written as zeros; a count that is too small leaves the rest.
        if (!areEndsEmpty || m_isMoreThanCounted)
            m_found.doubt = "behind the last of its members there is more: some may be lost";
        if (m_found.doubt.empty())
            guard([&] { m_found.doubt = heap.oddRoom(); });
    }

    void checkMessage(StoredReader at)
    {
        at.version(1);
        const unsigned flags = at.u8();
        // Where the library refuses a link, it frees a name that it has not read yet.
        at.require((flags & ~0x1fU) == 0, "a link has unknown flags");
        const unsigned kind = (flags & 8U) != 0 ? at.u8() : 0;
        at.skip((flags & 4U) != 0 ? 8 : 0);
        const unsigned characterSet = (flags & 16U) != 0 ? at.u8() : 0;
        at.require(characterSet <= 1, "a link's name is in no known character set");
        const std::uint64_t nameBytes = at.number(std::size_t{1} << (flags & 3U));
        const std::string_view name = at.bytes(nameBytes);
        checkName(at, name);
        at.require(m_names.emplace(name).second, "two of its members have one name");
        m_lastHash = lookup3(name);
        if (kind == 0) {
            const std::uint64_t object = at.address();
            at.require(object != undefinedAddress, "a link has no target");
            m_found.members.push_back({.name = std::string(name), .object = object});
            return;
        }
        at.require(kind == 1 || kind >= 64, "a link is of no known kind");
        StoredReader value = at.part(at.u16());
        value.require(value.left() > 0, "a link has no target");
        if (kind == 64) {
            value.version(0);
            static_cast<void>(value.text());
            static_cast<void>(value.text());
        }
    }

    void checkDense(StoredReader at)
    {
        at.version(0);
        const unsigned flags = at.u8();
        at.require((flags & ~3U) == 0, "a group has unknown flags");
        at.skip((flags & 1U) != 0 ? 8 : 0);
        const std::uint64_t heapAddress = at.address();
        const std::uint64_t byName = at.address();
        const std::uint64_t byOrder = (flags & 2U) != 0 ? at.address() : undefinedAddress;
        if (heapAddress == undefinedAddress)
            return;
        const FractalHeap heap(m_file, heapAddress);
        std::uint64_t lastHash = 0;
        const std::uint64_t count = walkTreeTwo(m_file, byName, nameTree, [&](StoredReader record) {
            guard([&] {
                const std::uint64_t hash = record.u32();
                const StoredBlock link = heap.object(record.part(heap.nameBytes()));
                checkMessage(link.reader());
                record.require(hash >= lastHash && hash == m_lastHash,
                               "its members are not in the order of their names' hashes");
                lastHash = hash;
            });
        });
        if (byOrder == undefinedAddress)
            return;
        std::optional<std::uint64_t> last;
        const std::uint64_t other =
            walkTreeTwo(m_file, byOrder, orderTree, [&](StoredReader record) {
                const std::uint64_t order = record.u64();
                record.require(!last || order > *last, "its members are not in their order");
                last = order;
                static_cast<void>(heap.object(record.part(heap.nameBytes())));
            });
        at.require(count == other, "its members are counted in two ways");
    }

    /// Does a part of the work; where that finds damage, the rest goes on.
    void guard(const std::function<void()>& part)
    {
        try {
            part();
        } catch (const Damage& damage) {
            if (!m_found.damage)
                m_found.damage = damage;
        }
    }

    [[nodiscard]] GroupLinks take() { return std::move(m_found); }

private:
    static void checkName(const StoredReader& at, std::string_view name)
    {
        at.require(!name.empty() && name != "." && name.find('\0') == std::string_view::npos &&
                       name.find('/') == std::string_view::npos,
                   "a member's name is invalid");
    }

    void checkNode(std::uint64_t address, LocalHeap& heap)
    {
        const std::size_t addressBytes = m_file.widths().address;
        const std::size_t entryBytes = m_file.widths().length + addressBytes + 24;
        const StoredBlock block =
            m_file.take(address, 8 + 2 * std::uint64_t{m_superblock.leafK} * entryBytes);
        StoredReader at = block.reader();
        at.signature("SNOD");
        at.version(1);
        at.skip(1);
        const unsigned count = at.u16();
        at.require(count <= 2 * m_superblock.leafK, "a table of members exceeds its space");
        for (unsigned index = 0; index < count; ++index)
            guard([&] { checkEntry(at.part(entryBytes), heap); });
        m_isMoreThanCounted = m_isMoreThanCounted || !at.isZero();
    }

    void checkEntry(StoredReader entry, LocalHeap& heap)
    {
        std::string name = heap.take(entry.length());
        checkName(entry, name);
        // The library finds no member outside of the bounds of its node.
        const bool isInOrder =
            (!m_lastName || *m_lastName < name) && m_low < name && name <= m_high;
        m_lastName = name;
        const std::uint64_t object = entry.address();
        const std::uint32_t kind = entry.u32();
        entry.skip(4);
        entry.require(kind <= 2, "a link is of no known kind");
        entry.require(kind == 2 ? !heap.take(entry.u32()).empty() : object != undefinedAddress,
                      "a link has no target");
        if (kind != 2)
            m_found.members.push_back({.name = std::move(name), .object = object});
        // It may be the one or the other that has a damaged name: both are known, with this word.
        entry.require(isInOrder, "its members are not in the order of their names");
    }

    StoredBytes& m_file;
    const SuperblockFacts& m_superblock;
    GroupLinks m_found;
    std::optional<std::string> m_lastName;
    std::string m_low;   ///< the greatest name before the node's
    std::string m_high;  ///< the greatest of the node's
    bool m_isMoreThanCounted = false;
    std::uint32_t m_lastHash = 0;
    std::unordered_set<std::string> m_names;
};

/// Checks all links of an object; none where it is not a group.
GroupLinks checkLinks(StoredBytes& file, const SuperblockFacts& superblock,
                      const ObjectHeader& header)
{
    LinkCheck check(file, superblock);
    for (const StoredMessage& one : header.messages)
        check.guard([&] {
            if (one.type == message::symbolTable)
                check.checkTable(one.body);
            else if (one.type == message::link)
                check.checkMessage(one.body);
            else if (one.type == message::linkInfo)
                check.checkDense(one.body);
        });
    return check.take();
}

constexpr std::uint64_t firstUserBlock = 512;
constexpr std::string_view superblockSignature = "\x89HDF\r\n\x1a\n";

/// Thrown where a file is still open for writing, or was never closed: what is in it need not fit
/// together.
struct LeftOpen
{
    bool isSwmr = false;
};

std::string sentenceOf(const LeftOpen& file)
{
    return "it is still being written, or its writer did not close it: " +
           std::string(file.isSwmr
                           ? "calib info and the window show what is there so far; if no writer "
                             "is running, mend a copy with h5clear -s"
                           : "if no writer is running, mend a copy with h5clear -s");
}

/// A file that goes on behind the end that its superblock states, was left by a writer before it
/// had written all that belongs together.
std::string sentenceOf(const Damage& damage, bool mayBeWritten)
{
    const std::string what = damage.isNewer ? "newer than this reader, or damaged" : "damaged";
    return what + (mayBeWritten ? ", or still being written" : "") +
           (damage.isNewer || mayBeWritten ? ", at byte " : " at byte ") +
           numberText(damage.place) + ": " + damage.what;
}

/// Also of one that lacks a part.
bool isDataset(const ObjectHeader& header)
{
    return header.first(message::layout) != nullptr ||
           (header.first(message::datatype) != nullptr &&
            header.first(message::dataspace) != nullptr);
}

}  // namespace

class StructureWalk
{
public:
    StructureWalk(int descriptor, std::uint64_t fileBytes)
        : m_parts{.file = StoredBytes(descriptor, fileBytes),
                  .superblock = {},
                  .shared = SharedMessages(m_parts.file),
                  .texts = GlobalHeap(m_parts.file)}
    {}
    StructureWalk(const StructureWalk&) = delete;
    StructureWalk& operator=(const StructureWalk&) = delete;

    /// Throws Damage where the file as a whole is damaged.
    Findings run(const Progress& progress, bool isLook)
    {
        m_parts.file.setProgress(progress);
        m_parts.superblock = readSuperblock(m_parts.file, superblockPlace());
        if (m_parts.superblock.isLeftOpen && !(m_parts.superblock.isSwmr && isLook))
            throw LeftOpen{.isSwmr = m_parts.superblock.isSwmr};
        m_findings.isGrowing = m_parts.superblock.isLeftOpen;
        if (m_findings.isGrowing)
            m_parts.file.setSpaceToEnd();
        checkExtension();
        const std::uint64_t root = m_parts.superblock.root;
        m_findings.root = root;
        m_findings.goesOn = m_parts.file.goesOn();
        reach(root);
        while (!m_waiting.empty()) {
            const std::uint64_t object = m_waiting.back();
            m_waiting.pop_back();
            checkObject(object);
        }
        for (const auto& [owner, place] : m_parts.file.sharers())
            refuse(owner, {place, "what is there belongs to something else too"});
        doubtLinks();
        if (!m_findings.areAllObjectsSound() || m_findings.isGrowing)
            m_findings.plain.clear();
        for (const auto& [object, doubts] : m_findings.m_doubts)
            m_findings.plain.erase(object);
        for (const auto& [object, links] : m_reached)
            m_findings.m_reached.push_back(object);
        std::ranges::sort(m_findings.m_reached);
        return std::move(m_findings);
    }

    [[nodiscard]] std::string sentenceOf(const Damage& damage) const
    {
        return structure::sentenceOf(damage, m_findings.isGrowing || m_parts.file.goesOn());
    }

private:
    [[nodiscard]] std::uint64_t superblockPlace()
    {
        std::uint64_t place = 0;
        while (m_parts.file.isInside(place, superblockSignature.size()) &&
               m_parts.file.look(place, superblockSignature.size()).bytes != superblockSignature)
            place = place == 0 ? firstUserBlock : 2 * place;
        return std::min(place, m_parts.file.end());
    }

    void checkExtension()
    {
        const std::uint64_t address = m_parts.superblock.extension;
        if (address == undefinedAddress)
            return;
        m_parts.file.setOwner(address);
        const ObjectHeader header = readObjectHeader(m_parts.file, address);
        m_parts.file.setOwner(0);
        for (const StoredMessage& one : header.messages) {
            StoredReader at = one.body;
            if (one.type == message::treeEntries) {
                at.version(0);
                m_parts.superblock.chunkK = at.u16();
                m_parts.superblock.groupK = at.u16();
                m_parts.superblock.leafK = at.u16();
            } else if (one.type == message::sharedTable) {
                at.version(0);
                const std::uint64_t table = at.address();
                m_parts.shared.readTable(table, at.u8());
            } else if (one.type == message::fileSpace) {
                setPages(at);
            } else if (one.type == message::cacheImage) {
                at.version(0);
                at.require(at.address() == undefinedAddress,
                           "it keeps its newest structures in an image of a cache; write it anew "
                           "with h5repack");
            }
        }
    }

    /// Version 0 of the message knows no pages.
    void setPages(StoredReader at)
    {
        constexpr unsigned byPages = 1;
        if (at.u8() != 1 || at.u8() != byPages)
            return;
        at.skip(1 + m_parts.file.widths().length);  // what becomes of free space
        m_findings.pageBytes = at.length();
        m_parts.file.setBlocks(blockSizesFor(m_findings.pageBytes));
    }

    void reach(std::uint64_t object)
    {
        if (++m_reached[object].found == 1)
            m_waiting.push_back(object);
    }

    /// Where all groups are whole, as many links lead to each object as it counts. What was removed
    /// in part, or led elsewhere by damage, is found so.
    void doubtLinks()
    {
        if (!m_findings.areAllObjectsSound())
            return;
        for (const auto& [object, links] : m_reached)
            if (links.told && *links.told != links.found)
                m_findings.m_doubts[object].push_back(
                    "it counts " + std::to_string(*links.told) + " links to it, and " +
                    std::to_string(links.found) +
                    " lead there: a name may be lost, or of something else");
    }

    void refuse(std::uint64_t object, const Damage& damage)
    {
        if (object == 0 || object == m_parts.superblock.extension ||
            object == m_parts.superblock.root)
            throw damage;
        m_findings.m_objects.emplace(object, sentenceOf(damage));
    }

    void checkObject(std::uint64_t object)
    {
        m_parts.file.setOwner(object);
        try {
            const ObjectHeader header = readObjectHeader(m_parts.file, object);
            checkKinds(header, m_parts.file.placeOf(object));
            CheckedDataset dataset;
            if (isDataset(header))
                dataset = checkDataset(m_parts, header);
            doubt(object, std::move(dataset.doubt));
            follow(object, header);
            // Datasets that use a named type count as links to it.
            if (isDataset(header) || header.first(message::datatype) == nullptr)
                m_reached[object].told = header.links;
            std::optional<Attributes> attributes =
                checkAttributes(m_parts, header, [&](const DamagedAttribute& attribute) {
                    m_findings.m_attributes[object].emplace(attribute.name,
                                                            sentenceOf(attribute.damage));
                });
            if (dataset.plain && attributes) {
                dataset.plain->attributes = *std::move(attributes);
                m_findings.plain.emplace(object, *std::move(dataset.plain));
            }
        } catch (const Damage& damage) {
            refuse(object, damage);
        }
    }

    void doubt(std::uint64_t object, std::string sentence)
    {
        if (!sentence.empty())
            m_findings.m_doubts[object].push_back(std::move(sentence));
    }

    void follow(std::uint64_t object, const ObjectHeader& header)
    {
        GroupLinks links = checkLinks(m_parts.file, m_parts.superblock, header);
        // The library looks at more of the root than its header when it opens a file.
        if (links.damage && object == m_parts.superblock.root)
            throw Damage(*links.damage);
        for (const GroupLinks::Member& member : links.members)
            reach(member.object);
        if (!links.damage)
            return doubt(object, std::move(links.doubt));
        PartialGroup& group = m_findings.m_partialGroups[object];
        group.reason = sentenceOf(*links.damage);
        for (GroupLinks::Member& member : links.members)
            group.members.push_back({.name = std::move(member.name), .object = member.object});
        std::ranges::sort(group.members, {}, &PartialGroup::Member::name);
    }

    /// Hard links to an object.
    struct LinkCount
    {
        std::optional<std::uint32_t> told;  ///< by itself
        std::uint32_t found = 0;
    };

    StructureParts m_parts;
    std::unordered_map<std::uint64_t, LinkCount> m_reached;
    std::vector<std::uint64_t> m_waiting;
    Findings m_findings;
};

std::string Findings::reasonAgainst(std::uint64_t object) const
{
    if (const auto found = m_objects.find(object); found != m_objects.end())
        return found->second;
    if (!std::ranges::binary_search(m_reached, object))
        return "damaged: it can be reached only through damaged groups";
    return {};
}

const PartialGroup* Findings::partialGroup(std::uint64_t object) const
{
    const auto found = m_partialGroups.find(object);
    return found == m_partialGroups.end() ? nullptr : &found->second;
}

const std::map<std::string, std::string>& Findings::attributesLeftOut(std::uint64_t object) const
{
    static const std::map<std::string, std::string> none;
    const auto found = m_attributes.find(object);
    return found == m_attributes.end() ? none : found->second;
}

const std::vector<std::string>& Findings::doubtsOf(std::uint64_t object) const
{
    static const std::vector<std::string> none;
    const auto found = m_doubts.find(object);
    return found == m_doubts.end() ? none : found->second;
}

std::string Findings::firstDoubt() const
{
    return m_doubts.empty() ? std::string() : m_doubts.begin()->second.front();
}

std::string Findings::firstReason() const
{
    if (!m_objects.empty())
        return m_objects.begin()->second;
    if (!m_partialGroups.empty())
        return m_partialGroups.begin()->second.reason;
    return m_attributes.empty() ? std::string() : m_attributes.begin()->second.begin()->second;
}

Findings checkStructure(const std::string& path, const Progress& progress, bool isLook)
{
    const OpenDescriptor file(path);
    struct stat status
    {
    };
    if (!file.isOpen() || ::fstat(file.number(), &status) != 0)
        throw Error(Fault::Input, path + ": " + std::generic_category().message(errno));
    StructureWalk walk(file.number(), static_cast<std::uint64_t>(status.st_size));
    try {
        return walk.run(progress, isLook);
    } catch (const LeftOpen& leftOpen) {
        throw Error(Fault::Input, path + ": " + sentenceOf(leftOpen));
    } catch (const Damage& damage) {
        throw Error(Fault::Input,
                    path + ": is " + walk.sentenceOf(damage) + "; copy or record it again");
    }
}

}  // namespace calibscope::structure
