// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/subject.h"

#include "tests/support/catch.h"
#include "tests/support/dump_values.h"
#include "tests/support/file_bytes.h"
#include "tests/support/h5_growing.h"
#include "tests/support/npy_files.h"
#include "tests/support/temporary_folder.h"

#include <filesystem>
#include <string>

namespace subject_test {

using namespace calibscope;
using namespace calibscope::engine;

ProfileKey keyOf(std::uint64_t tensor)
{
    return {.tensor = {.file = "a.h5", .index = tensor}, .bytes = 10, .modified = "then"};
}

TensorProfile profileOf(std::uint64_t values, std::size_t bins)
{
    TensorProfile profile;
    profile.moments.extents.finite = values;
    profile.histograms.resize(1);
    profile.histograms[0].counts.resize(bins);
    return profile;
}

TEST_CASE("a profile is found under its key until it is taken")
{
    ProfileCache cache(1 << 20);
    cache.put(keyOf(1), profileOf(7, 10));
    CHECK_FALSE(cache.take(keyOf(2)));
    ProfileKey changed = keyOf(1);
    changed.modified = "now";
    CHECK_FALSE(cache.take(changed));
    const auto found = cache.take(keyOf(1));
    REQUIRE(found);
    CHECK(found->extents().finite == 7);
    CHECK_FALSE(cache.take(keyOf(1)));
    CHECK(cache.usedBytes() == 0);
}

TEST_CASE("those not used for longest go first when the budget is full")
{
    const std::uint64_t bytes = memoryOf(profileOf(0, 1000));
    CHECK(bytes >= 8000);
    ProfileCache cache(3 * bytes);
    for (std::uint64_t tensor = 0; tensor < 3; ++tensor)
        cache.put(keyOf(tensor), profileOf(tensor, 1000));
    cache.put(keyOf(0), *cache.take(keyOf(0)));  // used again
    cache.put(keyOf(3), profileOf(3, 1000));
    CHECK(cache.size() == 3);
    CHECK(cache.usedBytes() == 3 * bytes);
    CHECK_FALSE(cache.take(keyOf(1)));
    CHECK(cache.take(keyOf(0)));
}

TEST_CASE("a profile over the whole budget is not kept, and the budget is not lost")
{
    ProfileCache cache(10000);
    cache.put(keyOf(0), profileOf(0, 100));
    cache.put(keyOf(1), profileOf(1, 100000));
    CHECK(cache.size() == 0);
    CHECK(cache.usedBytes() == 0);
    cache.put(keyOf(2), profileOf(2, 100));
    CHECK(cache.take(keyOf(2)));
}

TEST_CASE("putting a key twice keeps the latest")
{
    ProfileCache cache(1 << 20);
    cache.put(keyOf(0), profileOf(1, 10));
    cache.put(keyOf(0), profileOf(2, 10));
    CHECK(cache.size() == 1);
    CHECK(cache.take(keyOf(0))->extents().finite == 2);
    CHECK(cache.usedBytes() == 0);
}

TEST_CASE("what was listed of a dump is read when more was appended, not when it is another one")
{
    const test::TemporaryFolder folder;
    const std::string path = folder.file("growing.h5");
    const EngineParts parts = dumpFileParts(1 << 20);
    DumpCache dumps(parts);
    {
        test::GrowingFile writer(path);
        writer.append(2);
        const auto opened = dumps.open(path, false, {});
        CHECK(opened->isGrowing);
        writer.append(1);
        CHECK(dumps.asOpened(path, false, {}) == opened);
        CHECK(dumps.open(path, false, {})->tensors[0].sampleCount() == 12);
        CHECK(dumps.asOpened(path, false, {})->tensors[0].sampleCount() == 12);
        writer.append(1);
    }
    CHECK(dumps.asOpened(path, false, {})->tensors[0].sampleCount() == 12);
    CHECK_FALSE(dumps.open(path, false, {})->isGrowing);
    test::writeBytes(path, test::readBytes(path) + "x");
    CHECK_THROWS_WITH(dumps.asOpened(path, false, {}), test::containsText("was changed since"));

    std::filesystem::create_directory(folder.file("acts"));
    const auto add = [&](const std::string& name) {
        test::writeBytes(folder.file("acts/" + name),
                         test::npyOf("<f4", "(2,)", std::string(8, '\0')));
    };
    add("a.npy");
    const auto folderDump = dumps.open(folder.file("acts"), false, {});
    CHECK_FALSE(folderDump->isGrowing);
    add("b.npy");
    CHECK(dumps.asOpened(folder.file("acts"), false, {}) == folderDump);
    CHECK(test::valuesOf(folderDump->source(folderDump->tensors[0], 0)).size() == 2);
    add("a.npy");
    CHECK_THROWS_WITH(test::valuesOf(folderDump->source(folderDump->tensors[0], 0)),
                      test::containsText("was changed since"));
}

}  // namespace subject_test
