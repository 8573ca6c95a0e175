#include "core/dump/hdf5/links.h"

#include "core/dump/hdf5/library.h"

#include <algorithm>

namespace calibscope::hdf5 {

namespace {

herr_t collectLink(hid_t /*group*/, const char* name, const H5L_info_t* info, void* links)
{
    static_cast<std::vector<Link>*>(links)->push_back(
        {.name = name,
         .type = info->type,
         .valueBytes = info->type == H5L_TYPE_HARD ? 0 : info->u.val_size});
    return 0;
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

}  // namespace

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
    for (std::size_t byte = 0; byte < sizeof(info.addr); ++byte)
        facts.key.second.at(byte) = static_cast<std::uint8_t>(info.addr >> (8 * byte));
#endif
    facts.key.first = info.fileno;
    facts.type = info.type;
    return facts;
}

Links linksOf(hid_t group)
{
    Links found;
    hsize_t position = 0;
    if (H5Literate(group, orderOf(group), H5_ITER_INC, &position, collectLink, &found.links) < 0)
        found.problem = lastReason();
    return found;
}

std::string softTarget(hid_t group, const Link& link)
{
    const std::string value = linkValue(group, link);
    return value.substr(0, value.find('\0'));
}

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

}  // namespace calibscope::hdf5
