// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/spread/profile_index.h"

#include "core/base/error.h"
#include "core/protocol/arrays.h"
#include "core/protocol/codec.h"
#include "core/spread/profile_fields.h"

#include <utility>

namespace calibscope::spread {

namespace {

using protocol::Json;

constexpr int indexFormat = 1;

Json writeFile(const ProfiledFile& file)
{
    Json json = {{"path", file.identity.path},
                 {"bytes", file.identity.bytes},
                 {"modified", file.identity.modified},
                 {"header_sha256", file.identity.headerSha256}};
    if (file.firstSample)
        json["first_sample"] = *file.firstSample;
    if (file.holdsShards)
        json["holds_shards"] = true;
    if (!file.firstChannels.empty())
        json["first_channels"] = file.firstChannels;
    if (!file.allChannels.empty())
        json["channels"] = file.allChannels;
    return json;
}

ProfiledFile readFile(const Json& json)
{
    ProfiledFile file;
    file.identity.path = json.at("path").get<std::string>();
    file.identity.bytes = json.at("bytes").get<std::uint64_t>();
    file.identity.modified = json.at("modified").get<std::string>();
    file.identity.headerSha256 = json.at("header_sha256").get<std::string>();
    if (json.contains("first_sample"))
        file.firstSample = json["first_sample"].get<std::uint64_t>();
    if (json.contains("first_channels"))
        file.firstChannels = json["first_channels"].get<std::map<std::string, std::uint64_t>>();
    if (json.contains("channels"))
        file.allChannels = json["channels"].get<std::map<std::string, std::uint64_t>>();
    file.holdsShards = !file.firstChannels.empty() || json.value("holds_shards", false);
    return file;
}

}  // namespace

std::string bytesOf(const ProfileIndex& index)
{
    const protocol::DumpOpened listed{.identity = {},
                                      .attributes = index.attributes,
                                      .warnings = index.warnings,
                                      .rules = {},
                                      .tensors = index.tensors};
    Json files = Json::array();
    for (const ProfiledFile& file : index.files)
        files.push_back(writeFile(file));
    const Json json = {
        {"format", indexFormat}, {"files", std::move(files)}, {"listed", protocol::encode(listed)}};
    std::string bytes;
    Json::to_cbor(json, bytes);
    return bytes;
}

ProfileIndex profileIndexFrom(std::string_view bytes, const std::string& where)
{
    return readKept(Kept::Profile, where, [&] {
        const Json json = protocol::parseCbor(bytes);
        if (json.at("format").get<int>() != indexFormat)
            throw Error(Fault::Input, "it is of another format");
        auto listed = protocol::decode<protocol::DumpOpened>(json.at("listed"));
        ProfileIndex index{.files = {},
                           .attributes = std::move(listed.attributes),
                           .warnings = std::move(listed.warnings),
                           .tensors = std::move(listed.tensors)};
        for (const Json& file : json.at("files"))
            index.files.push_back(readFile(file));
        return index;
    });
}

}  // namespace calibscope::spread
