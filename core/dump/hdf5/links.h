#pragma once

#include <hdf5.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

/// What a group's links tell, before they are followed. To be called under the Lock.
namespace calibscope::hdf5 {

/// Tells objects apart: the file's number, and the object's address or token in it. A file that is
/// closed and opened again has another number.
using ObjectKey = std::pair<unsigned long, std::array<std::uint8_t, 16>>;

struct ObjectFacts
{
    ObjectKey key;
    H5O_type_t type = H5O_TYPE_UNKNOWN;
};

/// The object that a link leads to; nothing if it can't be reached.
[[nodiscard]] std::optional<ObjectFacts> objectFacts(hid_t group, const std::string& name,
                                                     hid_t access);

struct Link
{
    std::string name;
    H5L_type_t type = H5L_TYPE_ERROR;
    std::size_t valueBytes = 0;
};

struct Links
{
    std::vector<Link> links;  ///< in creation order where the group keeps one, else by name
    std::string problem;      ///< why there may be more, in the library's words; empty: all
};
[[nodiscard]] Links linksOf(hid_t group);

/// The path that a soft link holds.
[[nodiscard]] std::string softTarget(hid_t group, const Link& link);

struct ExternalTarget
{
    std::string file;
    std::string object;
};
/// What an external link holds; nothing if it can't be read.
[[nodiscard]] std::optional<ExternalTarget> externalTarget(hid_t group, const Link& link);

}  // namespace calibscope::hdf5
