// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/dump/hdf5/walk.h"

#include "core/base/carried_exception.h"
#include "core/base/error.h"
#include "core/base/natural_order.h"
#include "core/base/utf8.h"
#include "core/dump/file_check.h"
#include "core/dump/hdf5/library.h"
#include "core/dump/hdf5/read_attributes.h"
#include "core/dump/hdf5/read_facts.h"
#include "core/dump/hdf5/type_facts.h"

#include <hdf5.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace calibscope::hdf5 {

namespace {

/// Tells objects apart: the file's number, and the object's address or token in it. A file that is
/// closed and opened again has another number.
using ObjectKey = std::pair<unsigned long, std::array<std::uint8_t, 16>>;

ObjectKey keyOf(unsigned long file, std::uint64_t address)
{
    ObjectKey key{file, {}};
    for (std::size_t byte = 0; byte < sizeof(address); ++byte)
        key.second.at(byte) = static_cast<std::uint8_t>(address >> (8 * byte));
    return key;
}

struct ObjectFacts
{
    ObjectKey key;
    H5O_type_t type = H5O_TYPE_UNKNOWN;
};

struct Link
{
    std::string name;
    H5L_type_t type = H5L_TYPE_ERROR;
    std::size_t valueBytes = 0;
    std::uint64_t address = 0;  ///< of the header that a hard link leads to
};

/// What a group's links tell, before they are followed.
struct Links
{
    std::vector<Link>
        links;            ///< in creation order where the group keeps one, else in natural order
    std::string problem;  ///< why there may be more, in the library's words; empty: all
    CarriedException carried = {};
};

struct ExternalTarget
{
    std::string file;
    std::string object;
};

herr_t collectLink(hid_t /*group*/, const char* name, const H5L_info_t* info, void* collected)
{
    auto& found = *static_cast<Links*>(collected);
    return found.carried.guard([&] {
        const bool isHard = info->type == H5L_TYPE_HARD;
#if H5_VERSION_GE(1, 12, 0)
        const std::uint64_t address = isHard ? addressOf(info->u.token) : 0;
#else
        const std::uint64_t address = isHard ? info->u.address : 0;
#endif
        found.links.push_back({.name = name,
                               .type = info->type,
                               .valueBytes = isHard ? 0 : info->u.val_size,
                               .address = address});
    });
}

/// By name HDF5 knows the order of bytes alone, which puts block10 before block2.
void sortNaturally(std::vector<Link>& links)
{
    std::ranges::sort(links, naturallyBefore, &Link::name);
}

H5_index_t orderOf(hid_t group)
{
    const Handle properties(H5Gget_create_plist(group), H5Pclose);
    unsigned flags = 0;
    H5Pget_link_creation_order(properties.id(), &flags);
    return (flags & H5P_CRT_ORDER_INDEXED) != 0 ? H5_INDEX_CRT_ORDER : H5_INDEX_NAME;
}

std::string linkValue(hid_t group, const Link& link)
{
    std::string value(link.valueBytes, '\0');
    if (H5Lget_val(group, link.name.c_str(), value.data(), value.size(), H5P_DEFAULT) < 0)
        return {};
    return value;
}

/// The object that a link leads to; nothing if it can't be reached.
std::optional<ObjectFacts> objectFacts(hid_t group, const std::string& name, hid_t access)
{
    ObjectFacts facts;
#if H5_VERSION_GE(1, 12, 0)
    H5O_info2_t info;
    if (H5Oget_info_by_name3(group, name.c_str(), &info, H5O_INFO_BASIC, access) < 0)
        return std::nullopt;
    static_assert(sizeof(info.token.__data) == sizeof(facts.key.second));
    std::copy(std::begin(info.token.__data), std::end(info.token.__data), facts.key.second.begin());
#else
    H5O_info_t info;
    if (H5Oget_info_by_name2(group, name.c_str(), &info, H5O_INFO_BASIC, access) < 0)
        return std::nullopt;
    facts.key = keyOf(0, info.addr);
#endif
    facts.key.first = info.fileno;
    facts.type = info.type;
    return facts;
}

Links linksOf(hid_t group)
{
    Links found;
    hsize_t position = 0;
    const H5_index_t order = orderOf(group);
    if (H5Literate(group, order, H5_ITER_INC, &position, collectLink, &found) < 0)
        found.problem = lastReason();
    found.carried.rethrow();
    if (order == H5_INDEX_NAME)
        sortNaturally(found.links);
    return found;
}

Links linksOf(const structure::PartialGroup& group)
{
    Links found;
    found.problem = group.reason;
    for (const structure::PartialGroup::Member& member : group.members)
        found.links.push_back(
            {.name = member.name, .type = H5L_TYPE_HARD, .address = member.object});
    sortNaturally(found.links);
    return found;
}

/// The path that a soft link holds.
std::string softTarget(hid_t group, const Link& link)
{
    const std::string value = linkValue(group, link);
    return value.substr(0, value.find('\0'));
}

/// What an external link holds; nothing if it can't be read.
std::optional<ExternalTarget> externalTarget(hid_t group, const Link& link)
{
    const std::string value = linkValue(group, link);
    const char* file = nullptr;
    const char* object = nullptr;
    unsigned flags = 0;
    if (value.empty() ||
        H5Lunpack_elink_val(value.data(), value.size(), &flags, &file, &object) < 0)
        return std::nullopt;
    return ExternalTarget{.file = file, .object = object};
}

constexpr std::size_t deepestGroup = 1000;  // the paths of deeper ones would take the memory
constexpr std::size_t mostOpenFiles = 64;
constexpr std::size_t mostNotes = 20;
constexpr std::size_t longestPath = std::size_t{32} << 10;

/// A group whose links are being followed.
struct Level
{
    Handle group;
    std::string path;
    Links links;
    bool isInOtherFile = false;
    bool isPartial = false;           ///< its members are known by address alone
    std::vector<std::string> doubts;  ///< of all that it holds: attributes that were left out
    std::size_t next = 0;
};

class Walk
{
public:
    Walk(const OpenFile& file, std::uint64_t memoryBytes)
        : m_file(file), m_others(*file.others), m_memoryBytes(memoryBytes)
    {}

    FileFacts run(const Progress& progress)
    {
        progress.step(0, 0, "/");
        visit(m_file.handle.id(), "/", "");
        while (!m_levels.empty()) {
            Level& level = m_levels.back();
            if (level.next == level.links.links.size()) {
                leave();
                continue;
            }
            const Link& link = level.links.links[level.next++];
            const std::string path = level.path + "/" + link.name;
            // Before: should it never come back.
            progress.step(m_facts.datasets.size(), 0, path.substr(0, longestPath));
            visitLink(level, link, path);
        }
        return std::move(m_facts);
    }

private:
    /// A dataset of the file itself that is known in full by its structure; else false.
    bool visitPlain(const Level& level, const Link& link, const std::string& path)
    {
        const auto plain = m_file.plain->find(link.address);
        if (link.type != H5L_TYPE_HARD || level.isInOtherFile || plain == m_file.plain->end())
            return false;
        const ObjectKey key = keyOf(m_ownFile, link.address);
        if (isFound(key, path))
            return true;
        const StatedType* type = typeOf(plain->second.type, level, link);
        if (type == nullptr)
            return false;
        add(key, plainFacts(path, std::move(plain->second), *type));
        return true;
    }

    /// The type that a datatype message states, in the library's words, of one of its datasets; null
    /// where that cannot be opened.
    const StatedType* typeOf(const std::string& message, const Level& level, const Link& link)
    {
        const auto known = m_types.find(message);
        if (known != m_types.end())
            return &known->second;
        const Handle dataset(H5Dopen2(level.group.id(), link.name.c_str(), m_file.others->access()),
                             H5Dclose);
        const Handle type(H5Dget_type(dataset.id()), H5Tclose);
        return type.isValid() ? &m_types.emplace(message, typeFacts(type.id())).first->second
                              : nullptr;
    }

    /// A dataset that is listed already has one more path.
    bool isFound(const ObjectKey& key, const std::string& path)
    {
        const auto known = m_visited.find(key);
        if (known != m_visited.end())
            m_facts.datasets[known->second].otherPaths.push_back(path);
        return known != m_visited.end();
    }

    void add(const ObjectKey& key, DatasetFacts facts)
    {
        m_visited.emplace(key, m_facts.datasets.size());
        std::vector<std::string>& doubts = m_facts.datasets.emplace_back(std::move(facts)).doubts;
        if (!m_nameDoubt.empty())
            doubts.push_back(m_nameDoubt);
        if (!m_levels.empty())
            doubts.insert(doubts.end(), m_levels.back().doubts.begin(),
                          m_levels.back().doubts.end());
    }

    void visit(hid_t parent, const std::string& name, const std::string& path)
    {
        const std::optional<ObjectFacts> object = objectFacts(parent, name, m_others.access());
        if (!object) {
            addUnreachable(path,
                           "its header cannot be read (" + lastReason() + "); the file is damaged");
            return;
        }
        if (m_levels.empty())
            m_ownFile = object->key.first;
        const bool isInOtherFile = object->key.first != m_ownFile;
        if (object->type == H5O_TYPE_GROUP && m_groups.insert(object->key).second)
            enter(parent, name, path, isInOtherFile);
        else if (object->type == H5O_TYPE_DATASET && !isFound(object->key, path))
            add(object->key,
                readFacts(
                    {.group = parent, .name = name, .path = path, .isInOtherFile = isInOtherFile},
                    {.file = m_file, .memoryBytes = m_memoryBytes}));
    }

    void enter(hid_t parent, const std::string& name, const std::string& path, bool isInOtherFile)
    {
        if (m_levels.size() > deepestGroup) {
            addUnreachable(path, "it lies " + std::to_string(deepestGroup) +
                                     " groups deep, deeper ones are not visited; move it up");
            return;
        }
        Handle group(H5Oopen(parent, name.c_str(), m_others.access()), H5Oclose);
        ReadAttributes attributes =
            readAttributes(group.id(), isInOtherFile ? nullptr : &m_file.findings);
        std::vector<std::string> doubts =
            m_levels.empty() ? std::vector<std::string>() : m_levels.back().doubts;
        if (!m_nameDoubt.empty() && doubts.size() < mostNotes)
            doubts.push_back("of its group " + path + ": " + m_nameDoubt);
        if (const auto address = headerAddress(group.id()); address && !isInOtherFile)
            std::ranges::copy(m_file.findings.doubtsOf(*address),
                              std::back_inserter(attributes.warnings));
        for (const std::string& warning : attributes.warnings) {
            m_facts.warnings.push_back((path.empty() ? "/" : path) + ": " + warning);
            if (doubts.size() < mostNotes)
                doubts.push_back("of its group " + m_facts.warnings.back());
        }
        if (path.empty())
            m_facts.attributes = std::move(attributes.values);
        else if (!attributes.values.empty())
            m_facts.groups.emplace(path, std::move(attributes.values));
        const structure::PartialGroup* partial = isInOtherFile ? nullptr : partialGroup(group.id());
        Links links = partial == nullptr ? linksOf(group.id()) : linksOf(*partial);
        if (partial != nullptr)
            doubts.push_back("its group " + path + " is " + partial->reason);
        m_levels.push_back({.group = std::move(group),
                            .path = path,
                            .links = std::move(links),
                            .isInOtherFile = isInOtherFile,
                            .isPartial = partial != nullptr,
                            .doubts = std::move(doubts),
                            .next = 0});
    }

    void leave()
    {
        const Level& level = m_levels.back();
        if (!level.links.problem.empty())
            addUnreachable(level.path, "the members of this group cannot all be listed (" +
                                           level.links.problem + "); the file is damaged");
        m_levels.pop_back();
    }

    void visitLink(const Level& level, const Link& link, const std::string& path)
    {
        m_pathBytes += path.size();
        if (path.size() > longestPath || m_pathBytes > m_memoryBytes / 4) {
            refuseName(level, link, path);
            return;
        }
        noteOddName(link.name, path);
        const Unreadable unreachable = reasonOf(level, link);
        if (!unreachable.empty())
            addUnreachable(path, unreachable);
        else if (level.isPartial)
            visitByAddress(link.address, path);
        else if (!visitPlain(level, link, path))
            visit(level.group.id(), link.name, path);
    }

    void visitByAddress(std::uint64_t address, const std::string& path)
    {
        const Handle object(H5Oopen_by_addr(m_file.handle.id(), address), H5Oclose);
        visit(object.id(), ".", path);
    }

    [[nodiscard]] const structure::PartialGroup* partialGroup(hid_t group) const
    {
        const auto address = headerAddress(group);
        return address ? m_file.findings.partialGroup(*address) : nullptr;
    }

    /// Why a link is not followed; empty for one that is.
    [[nodiscard]] Unreadable reasonOf(const Level& level, const Link& link)
    {
        const hid_t group = level.group.id();
        if (link.type == H5L_TYPE_HARD)
            return level.isInOtherFile ? Unreadable() : reasonAgainst(link.address);
        if (link.type == H5L_TYPE_EXTERNAL)
            return reasonOfExternal(group, link);
        if (link.type != H5L_TYPE_SOFT)
            return "it is a link of a kind that only its writer knows";
        if (!m_file.findings.areAllObjectsSound())
            return "it is a link, and links by name are not followed in a file with damaged "
                   "objects; "
                   "copy or record it again";
        if (objectFacts(group, link.name, m_others.access()))
            return {};
        const std::string sentence = "it is a link to " + softTarget(group, link);
        if (const auto refused = m_others.takeRefused())
            return onlyIfAllowed(sentence + ", which leads to " + refused->object +
                                 " in the file " + refused->file);
        return sentence + ", which is not in this file; copy that object into it";
    }

    [[nodiscard]] Unreadable reasonAgainst(std::uint64_t object) const
    {
        const std::string reason = m_file.findings.reasonAgainst(object);
        return reason.empty() ? Unreadable()
                              : Unreadable("it is " + reason + "; copy or record it again");
    }

    /// The earliest format has no checksum of names: what damage leaves is often no text.
    void noteOddName(const std::string& name, const std::string& path)
    {
        const bool isText =
            validUtf8(name) == name && std::ranges::none_of(name, [](char byte) {
                return (static_cast<unsigned char>(byte) < 0x20 && byte != '\t') || byte == 0x7f;
            });
        m_nameDoubt = isText ? "" : "its name is not text; the file may be damaged";
        if (!isText && m_oddNames++ < mostNotes)
            m_facts.warnings.push_back(path + ": " + m_nameDoubt);
    }

    /// Paths are kept several times over: some would take more memory than the values.
    void refuseName(const Level& level, const Link& link, const std::string& path)
    {
        if (path.size() <= longestPath)
            throw Error(Fault::Input, m_file.identity.path +
                                          ": the paths of its objects take more than a quarter of "
                                          "the memory budget of " +
                                          std::to_string(m_memoryBytes) +
                                          " bytes; use shorter names or split the file");
        m_pathBytes -= path.size();
        constexpr std::size_t shownBytes = 64;
        const std::string shown = level.path + "/" + link.name.substr(0, shownBytes);
        addUnreachable(shown.substr(0, longestPath) + "...",
                       "its path has " + std::to_string(path.size()) + " bytes, more than " +
                           std::to_string(longestPath) + "; use shorter names");
    }

    Unreadable reasonOfExternal(hid_t group, const Link& link)
    {
        const std::optional<ExternalTarget> target = externalTarget(group, link);
        if (!target)
            return "it is a link into another file that cannot be read; the file is damaged";
        const std::string sentence =
            "it is a link to " + target->object + " in the file " + target->file;
        if (!m_others.areAllowed())
            return onlyIfAllowed(sentence);
        const std::optional<std::string> path = m_others.find(target->file);
        if (!path)
            return sentence + ", which is not there; put it beside this one";
        if (const std::string problem = keepOpen(*path); !problem.empty())
            return sentence + ", which cannot be read: " + problem;
        if (!objectFacts(group, link.name, m_others.access()))
            return sentence + ", which has no such object; check the link";
        return {};
    }

    /// Keeps another file open while the walk lasts, so that its objects stay the same ones when
    /// further links lead there. A problem as a sentence, or nothing.
    std::string keepOpen(const std::string& path)
    {
        if (m_openFiles.contains(path))
            return {};
        try {
            static_cast<void>(checkedIdentity(path));
        } catch (const Error& error) {
            return error.what();
        }
        if (std::string problem = m_others.damageOf(path); !problem.empty())
            return problem;
        const Handle access = fileAccess();
        Handle file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, access.id()), H5Fclose);
        if (!file.isValid())
            return path + ": cannot be opened as HDF5 (" + lastReason() + ")";
        if (m_openFiles.size() < mostOpenFiles)
            m_openFiles.emplace(path, std::move(file));
        return {};
    }

    void addUnreachable(const std::string& path, const Unreadable& reason)
    {
        DatasetFacts& facts = m_facts.datasets.emplace_back();
        facts.path = path.empty() ? "/" : path;
        facts.unreadable = reason;
    }

    const OpenFile& m_file;
    const OtherFiles& m_others;
    std::uint64_t m_memoryBytes;
    std::uint64_t m_pathBytes = 0;  ///< of all links so far
    std::size_t m_oddNames = 0;
    std::string m_nameDoubt;  ///< of the link that is being followed
    unsigned long m_ownFile = 0;
    std::vector<Level> m_levels;
    std::map<ObjectKey, std::size_t> m_visited;  ///< datasets, with their index among those found
    std::set<ObjectKey> m_groups;                ///< that were entered
    std::map<std::string, StatedType> m_types;   ///< by datatype message
    std::map<std::string, Handle> m_openFiles;
    FileFacts m_facts;
};

}  // namespace

FileFacts walk(const OpenFile& file, std::uint64_t memoryBytes, const Progress& progress)
{
    return Walk(file, memoryBytes).run(progress);
}

}  // namespace calibscope::hdf5
