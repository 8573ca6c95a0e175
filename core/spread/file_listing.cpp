// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/spread/file_listing.h"

#include "core/protocol/arrays.h"
#include "core/protocol/codec.h"
#include "core/spread/profile_fields.h"

#include <utility>

namespace calibscope::spread {

namespace {

using protocol::Json;
using protocol::Where;

}  // namespace

std::string bytesOf(const FileListing& listing)
{
    protocol::DumpOpened opened;
    std::vector<std::uint64_t> cuts;
    std::vector<std::string> shardProblems;
    for (const TensorListing& tensor : listing.tensors) {
        opened.tensors.push_back(tensor.info);
        cuts.insert(cuts.end(), {tensor.samples, tensor.perCut, afterIndex(tensor.firstChannel),
                                 afterIndex(tensor.allChannels)});
        shardProblems.push_back(tensor.shardProblem);
    }
    Json json = {{"path", listing.identity.path},
                 {"bytes", listing.identity.bytes},
                 {"modified", listing.identity.modified},
                 {"header_sha256", listing.identity.headerSha256},
                 {"stamp", listing.identity.stamp},
                 {"canonical", listing.canonical},
                 {"profile", listing.isProfile},
                 {"holds_shards", listing.holdsShards},
                 {"shard_problems", shardProblems},
                 {"meant", listing.hasMeant},
                 {"listed", protocol::encode(opened)},
                 {"cuts", protocol::writePacked(cuts)},
                 {"complaints", listing.complaints},
                 {"left_out", listing.leftOut},
                 {"failure", listing.failure},
                 {"fault", static_cast<int>(listing.fault)}};
    if (listing.firstSample)
        json["first_sample"] = *listing.firstSample;
    std::string bytes;
    Json::to_cbor(json, bytes);
    return bytes;
}

FileListing fileListingFrom(std::string_view bytes)
{
    const Where where{nullptr, "listing"};
    try {
        const Json json = protocol::parseCbor(bytes);
        FileListing listing;
        listing.identity.path = json.at("path").get<std::string>();
        listing.identity.bytes = json.at("bytes").get<std::uint64_t>();
        listing.identity.modified = json.at("modified").get<std::string>();
        listing.identity.headerSha256 = json.at("header_sha256").get<std::string>();
        listing.identity.stamp = json.at("stamp").get<std::string>();
        listing.canonical = json.at("canonical").get<std::string>();
        listing.isProfile = json.at("profile").get<bool>();
        listing.holdsShards = json.at("holds_shards").get<bool>();
        listing.hasMeant = json.at("meant").get<bool>();
        listing.complaints = json.at("complaints").get<std::vector<std::string>>();
        listing.leftOut = json.at("left_out").get<std::string>();
        listing.failure = json.at("failure").get<std::string>();
        listing.fault = static_cast<Fault>(json.at("fault").get<int>());
        if (json.contains("first_sample"))
            listing.firstSample = json["first_sample"].get<std::uint64_t>();
        auto opened = protocol::decode<protocol::DumpOpened>(json.at("listed"));
        const std::vector<std::uint64_t> cuts = protocol::readPacked(json.at("cuts"), where);
        auto shardProblems = json.at("shard_problems").get<std::vector<std::string>>();
        if (cuts.size() != 4 * opened.tensors.size() ||
            shardProblems.size() != opened.tensors.size())
            where.fail("does not tell how its tensors are cut");
        for (std::size_t tensor = 0; tensor < opened.tensors.size(); ++tensor)
            listing.tensors.push_back({.info = std::move(opened.tensors[tensor]),
                                       .samples = cuts[4 * tensor],
                                       .perCut = cuts[4 * tensor + 1],
                                       .firstChannel = indexBefore(cuts[4 * tensor + 2]),
                                       .allChannels = indexBefore(cuts[4 * tensor + 3]),
                                       .shardProblem = std::move(shardProblems[tensor])});
        return listing;
    } catch (const Json::exception&) {
        where.fail("lacks a member, or has one of another kind");
    }
}

}  // namespace calibscope::spread
