#include "core/dump/hdf5/walk.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <set>
#include <utility>

namespace calibscope::hdf5 {

namespace {

constexpr int deepestGroup = 200;  // each level takes a stack frame

/// Tells objects apart: the file's number, and the object's address or token in it.
using ObjectKey = std::pair<unsigned long, std::array<std::uint8_t, 16>>;

struct ObjectFacts
{
    ObjectKey key;
    H5O_type_t type = H5O_TYPE_UNKNOWN;
};

std::optional<ObjectFacts> objectFacts(hid_t group, const std::string& name, hid_t linkAccess)
{
    ObjectFacts facts;
#if H5_VERSION_GE(1, 12, 0)
    H5O_info2_t info;
    if (H5Oget_info_by_name3(group, name.c_str(), &info, H5O_INFO_BASIC, linkAccess) < 0)
        return std::nullopt;
    static_assert(sizeof(info.token.__data) == sizeof(facts.key.second));
    std::copy(std::begin(info.token.__data), std::end(info.token.__data), facts.key.second.begin());
#else
    H5O_info_t info;
    if (H5Oget_info_by_name2(group, name.c_str(), &info, H5O_INFO_BASIC, linkAccess) < 0)
        return std::nullopt;
    for (std::size_t byte = 0; byte < sizeof(info.addr); ++byte)
        facts.key.second.at(byte) = static_cast<std::uint8_t>(info.addr >> (8 * byte));
#endif
    facts.key.first = info.fileno;
    facts.type = info.type;
    return facts;
}

struct Link
{
    std::string name;
    H5L_type_t type = H5L_TYPE_ERROR;
    std::size_t valueBytes = 0;
};

herr_t collectLink(hid_t /*group*/, const char* name, const H5L_info_t* info, void* links)
{
    static_cast<std::vector<Link>*>(links)->push_back(
        {.name = name,
         .type = info->type,
         .valueBytes = info->type == H5L_TYPE_HARD ? 0 : info->u.val_size});
    return 0;
}

std::string linkValue(hid_t group, const Link& link)
{
    std::string value(link.valueBytes, '\0');
    if (H5Lget_val(group, link.name.c_str(), value.data(), value.size(), H5P_DEFAULT) < 0)
        return {};
    return value;
}

std::string softTarget(hid_t group, const Link& link)
{
    const std::string value = linkValue(group, link);
    return value.substr(0, value.find('\0'));
}

std::string externalSentence(hid_t group, const Link& link)
{
    const std::string value = linkValue(group, link);
    const char* file = nullptr;
    const char* object = nullptr;
    unsigned flags = 0;
    if (value.empty() ||
        H5Lunpack_elink_val(value.data(), value.size(), &flags, &file, &object) < 0)
        return "it is a link into another file that cannot be read; the file is damaged";
    return "it is a link to " + std::string(object) + " in the file " + file +
           ", which is not followed; open that file";
}

class Walk
{
public:
    explicit Walk(hid_t file) : m_file(file), m_linkAccess(withinFile()) {}

    std::vector<FoundObject> run()
    {
        visit(m_file, "/", "", 0);
        return std::move(m_found);
    }

private:
    void visit(hid_t parent, const std::string& name, const std::string& path, int depth)
    {
        const std::optional<ObjectFacts> object = objectFacts(parent, name, m_linkAccess.id());
        if (!object) {
            m_found.push_back({.path = path.empty() ? "/" : path,
                               .unreachable = "its header cannot be read (" + lastReason() +
                                              "); the file is damaged"});
            return;
        }
        if (!m_visited.insert(object->key).second)
            return;
        if (object->type == H5O_TYPE_DATASET)
            m_found.push_back({.path = path, .unreachable = {}});
        else if (object->type == H5O_TYPE_GROUP)
            visitGroup(parent, name, path, depth);
    }

    void visitGroup(hid_t parent, const std::string& name, const std::string& path, int depth)
    {
        const Handle group(H5Oopen(parent, name.c_str(), m_linkAccess.id()), H5Oclose);
        if (depth == deepestGroup) {
            m_found.push_back(
                {.path = path,
                 .unreachable = "it lies " + std::to_string(depth) +
                                " groups deep, deeper ones are not visited; move it up"});
            return;
        }
        if (!path.empty())
            m_found.push_back({.path = path, .unreachable = {}, .isGroup = true});
        std::vector<Link> links;
        hsize_t position = 0;
        const bool isComplete = H5Literate(group.id(), orderOf(group.id()), H5_ITER_INC, &position,
                                           collectLink, &links) >= 0;
        const std::string reason = isComplete ? "" : lastReason();
        for (const Link& link : links)
            visitLink(group.id(), link, path + "/" + link.name, depth + 1);
        if (!isComplete)
            m_found.push_back({.path = path.empty() ? "/" : path,
                               .unreachable = "the members of this group cannot all be listed (" +
                                              reason + "); the file is damaged"});
    }

    void visitLink(hid_t group, const Link& link, const std::string& path, int depth)
    {
        const std::string unreachable = reasonOf(group, link);
        if (unreachable.empty())
            visit(group, link.name, path, depth);
        else
            m_found.push_back({.path = path, .unreachable = unreachable});
    }

    /// Why a link is not followed; empty for one that is.
    [[nodiscard]] std::string reasonOf(hid_t group, const Link& link) const
    {
        if (link.type == H5L_TYPE_HARD)
            return {};
        if (link.type == H5L_TYPE_EXTERNAL)
            return externalSentence(group, link);
        if (link.type != H5L_TYPE_SOFT)
            return "it is a link of a kind that only its writer knows";
        if (objectFacts(group, link.name, m_linkAccess.id()))
            return {};
        return "it is a link to " + softTarget(group, link) +
               ", which is not in this file; copy that object into it";
    }

    static H5_index_t orderOf(hid_t group)
    {
        const Handle properties(H5Gget_create_plist(group), H5Pclose);
        unsigned flags = 0;
        H5Pget_link_creation_order(properties.id(), &flags);
        return (flags & H5P_CRT_ORDER_INDEXED) != 0 ? H5_INDEX_CRT_ORDER : H5_INDEX_NAME;
    }

    hid_t m_file;
    Handle m_linkAccess;
    std::set<ObjectKey> m_visited;
    std::vector<FoundObject> m_found;
};

herr_t refuse(const char* /*parentFile*/, const char* /*parentGroup*/, const char* /*file*/,
              const char* /*object*/, unsigned* /*flags*/, hid_t /*fileAccess*/, void* /*unused*/)
{
    return -1;
}

}  // namespace

Handle withinFile()
{
    Handle properties(H5Pcreate(H5P_LINK_ACCESS), H5Pclose);
    H5Pset_elink_cb(properties.id(), refuse, nullptr);
    return properties;
}

std::vector<FoundObject> walk(hid_t file)
{
    return Walk(file).run();
}

}  // namespace calibscope::hdf5
