// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/spread/profile_index.h"

#include "core/base/error.h"
#include "tests/support/catch.h"
#include "tests/support/damaged_bytes.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace profile_index_test {

namespace spread_profile_index_test {

using namespace calibscope;
using spread::ProfileIndex;

using FirstChannels = std::map<std::string, std::uint64_t>;

ProfileIndex indexWith(const FirstChannels& channels, bool holdsShards)
{
    ProfileIndex index;
    index.files.push_back({.identity = {.path = "a.h5", .bytes = 9},
                           .firstSample = 8,
                           .holdsShards = holdsShards,
                           .firstChannels = channels});
    index.tensors.push_back({.name = "a", .path = "/a", .shape = {6}});
    return index;
}

TEST_CASE("an index is read as it was written, with the channels that its files hold")
{
    for (const FirstChannels& channels :
         {FirstChannels{}, FirstChannels{{"/a", 0}}, FirstChannels{{"/a", 7}, {"/b", 3}}})
        for (const bool holdsShards : {true, !channels.empty()}) {
            const std::string bytes = bytesOf(indexWith(channels, holdsShards));
            const ProfileIndex back = spread::profileIndexFrom(bytes, "P.h5");
            CHECK(back.files.at(0).firstChannels == channels);
            CHECK(back.files.at(0).holdsShards == holdsShards);
            CHECK(back.files.at(0).firstSample == 8);
            CHECK(bytesOf(back) == bytes);
        }
}

TEST_CASE("a damaged index is refused with a sentence")
{
    const std::string bytes = bytesOf(indexWith({{"/a", 7}}, true));
    CHECK(
        test::refusals(bytes, 300, "P.h5: the profile is damaged", [](const std::string& damaged) {
            static_cast<void>(spread::profileIndexFrom(damaged, "P.h5"));
        }) > 50);
}

}  // namespace spread_profile_index_test

}  // namespace profile_index_test
