// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/dump/dump_file.h"
#include "core/report/tables/tensor_table.h"
#include "tests/support/catch.h"
#include "tests/support/dump_values.h"
#include "tests/support/file_bytes.h"
#include "tests/support/h5_file.h"
#include "tests/support/h5py.h"

#include <algorithm>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace walk_test {

using namespace calibscope;

std::vector<std::string> pathsIn(const DumpFile& dump)
{
    std::vector<std::string> paths;
    std::ranges::transform(dump.tensors(), std::back_inserter(paths), &TensorInfo::path);
    return paths;
}

TEST_CASE("datasets are found in all groups, by name, without groups and named types")
{
    test::H5File file;
    file.write("/b", {1}, std::vector<float>{1.0F});
    file.write("/a/z/deep", {1}, std::vector<float>{2.0F});
    file.write("/a/c", {1}, std::vector<float>{3.0F});
    file.nameType("/a/type");
    file.makeGroup("/empty");
    CHECK(pathsIn(*DumpFile::open(file.path())) ==
          std::vector<std::string>{"/a/c", "/a/z/deep", "/b"});
}

TEST_CASE("names have natural order, unless the group keeps the order of creation")
{
    test::H5File file;
    for (const char* name : {"/block10/b", "/block10/a", "/block2/x11", "/block2/x9", "/block1"})
        file.write(name, {1}, std::vector<float>{1.0F});
    CHECK(pathsIn(*DumpFile::open(file.path())) ==
          std::vector<std::string>{"/block1", "/block2/x9", "/block2/x11", "/block10/a",
                                   "/block10/b"});

    if (test::pythonWithH5py().empty())
        return;
    const test::TemporaryFolder folder;
    test::runH5py(folder, "f = h5py.File('tracked.h5', 'w', track_order=True)\n"
                          "for name in ['b10', 'b9', 'a']:\n"
                          "    f[name] = np.ones(3, 'f4')\n");
    CHECK(pathsIn(*DumpFile::open(folder.file("tracked.h5"))) ==
          std::vector<std::string>{"/b10", "/b9", "/a"});
}

/// Rows of all tensors but the last one, and what the file is warned of.
std::pair<std::vector<std::vector<Cell>>, std::vector<std::string>> listOf(const std::string& path)
{
    const auto dump = DumpFile::open(path);
    std::pair<std::vector<std::vector<Cell>>, std::vector<std::string>> list{{}, dump->warnings()};
    for (const TensorInfo& tensor : dump->tensors())
        if (tensor.path != "/zz")
            list.first.push_back(tensorRow(tensor));
    return list;
}

TEST_CASE("datasets are listed alike by the file's structure and by the library")
{
    test::H5File file;
    file.write("/activations/a", {2, 3}, std::vector<float>(6, 1.0F));
    file.attribute("/activations/a", "batch_size", std::int64_t{2});
    file.attribute("/activations/a", "op_type", "Conv");
    file.attribute("/activations/a", "values_min", 1.0);
    file.attribute("/activations/a", "values_sha256", "none");
    file.attribute("/activations/a", "note", "bell: \a");
    file.attribute("/activations/a", "axes", std::vector<std::string>{"N", "C"});
    file.write("/activations/of\x7f", {2}, std::vector<double>(2, 1.0));
    file.write("/weights/w", {2, 3}, std::vector<float>(6, 1.0F));
    file.hardLink("/weights/again", "/weights/w");
    file.writePatterns("/weights/bits", {2}, {1, 2}, test::Stored::Bfloat16);
    file.attribute("/weights/bits", "note", "two");
    file.write("/zz", {7919}, std::vector<float>(7919, 1.0F));
    const auto byStructure = listOf(file.path());
    CHECK(byStructure.first.size() == 4);
    CHECK(byStructure.second.size() >= 4);

    // One damaged object, and the library is asked of all others.
    std::string bytes = test::readBytes(file.path());
    const std::size_t length = bytes.find(std::string("\xef\x1e\0\0\0\0\0\0", 8));
    REQUIRE(length != std::string::npos);
    bytes[length] = '\xff';
    test::writeBytes(file.path(), bytes);
    const auto byLibrary = listOf(file.path());
    CHECK(byLibrary.first == byStructure.first);
    CHECK(byLibrary.second == byStructure.second);
}

TEST_CASE("an object that several links lead to comes once, and cycles end")
{
    test::H5File file;
    file.write("/group/a", {1}, std::vector<float>{1.0F});
    file.hardLink("/group/again", "/group/a");
    file.hardLink("/group/up", "/group");
    file.hardLink("/group/root", "/");
    file.softLink("/group/soft", "/group/a");
    file.softLink("/loop", "/loop");
    const auto dump = DumpFile::open(file.path());
    CHECK(pathsIn(*dump) == std::vector<std::string>{"/group/a", "/loop"});
    CHECK(dump->tensors()[1].unreadable ==
          "it is a link to /loop, which is not in this file; copy that object into it");
}

TEST_CASE("a soft link gives a dataset the name under which it is found first")
{
    test::H5File file;
    file.write("/raw/a", {1}, std::vector<float>{1.0F});
    file.makeGroup("/activations");
    file.softLink("/activations/conv", "/raw/a");
    const auto dump = DumpFile::open(file.path());
    CHECK(pathsIn(*dump) == std::vector<std::string>{"/activations/conv"});
    CHECK(test::valuesOf(dump->source(0)) == std::vector<float>{1.0F});
}

TEST_CASE("links that lead nowhere or into another file are listed with the reason")
{
    test::H5File other;
    other.write("/a", {1}, std::vector<float>{1.0F});
    test::H5File file;
    file.write("/ok", {1}, std::vector<float>{1.0F});
    file.softLink("/dangling", "/nowhere/at/all");
    file.externalLink("/outside", other.path(), "/a");
    file.externalLink("/missing", "none.h5", "/x");
    file.softLink("/through", "/outside");
    const auto dump = DumpFile::open(file.path());
    REQUIRE(pathsIn(*dump) ==
            std::vector<std::string>{"/dangling", "/missing", "/ok", "/outside", "/through"});
    CHECK(dump->tensors()[0].unreadable ==
          "it is a link to /nowhere/at/all, which is not in this file; copy that object into it");
    CHECK(dump->tensors()[1].unreadable ==
          "it is a link to /x in the file none.h5; other files are read only with "
          "--allow-external");
    CHECK(dump->tensors()[2].isReadable());
    CHECK(dump->tensors()[3].unreadable == "it is a link to /a in the file " + other.path() +
                                               "; other files are read only with --allow-external");
    CHECK(dump->tensors()[4].unreadable ==
          "it is a link to /outside, which leads to /a in the file " + other.path() +
              "; other files are read only with --allow-external");
}

TEST_CASE("external links are followed where that is allowed, from the dump's folder on")
{
    test::H5File file;
    file.write("/own", {1}, std::vector<float>{1.0F});
    {
        test::H5File other;
        other.write("/a", {2}, std::vector<float>{2.0F, 3.0F});
        other.write("/deep/b", {1}, std::vector<float>{4.0F},
                    {.chunk = {1}, .hasShuffle = true, .gzip = 1});
        other.externalLink("/back", "dump.h5", "/");  // a cycle through two files
        std::filesystem::copy_file(other.path(), file.folder().file("part.h5"));
    }
    test::writeBytes(file.folder().file("text.h5"), "no dump at all");
    file.externalLink("/l1", "part.h5", "/a");
    file.externalLink("/l2", "/of/another/machine/part.h5", "/deep");
    file.externalLink("/l3", "part.h5", "/");
    file.externalLink("/missing_file", "none.h5", "/a");
    file.externalLink("/missing_object", "part.h5", "/none");
    file.externalLink("/not_hdf5", "text.h5", "/a");
    const auto dump = DumpFile::open(file.path(), {.allowExternal = true});
    REQUIRE(pathsIn(*dump) == std::vector<std::string>{"/l1", "/l2/b", "/missing_file",
                                                       "/missing_object", "/not_hdf5", "/own"});
    CHECK(test::valuesOf(dump->source(0)) == std::vector<float>{2.0F, 3.0F});
    CHECK(test::valuesOf(dump->source(1)) == std::vector<float>{4.0F});
    CHECK(dump->tensors()[0].otherPaths == std::vector<std::string>{"/l3/a"});
    CHECK(dump->tensors()[2].unreadable ==
          "it is a link to /a in the file none.h5, which is not there; put it beside this one");
    CHECK(dump->tensors()[3].unreadable ==
          "it is a link to /none in the file part.h5, which has no such object; check the link");
    CHECK_THAT(dump->tensors()[4].unreadable.sentence,
               test::containsText("is not an HDF5 file but a text"));
    CHECK(dump->tensors()[5].isReadable());
}

TEST_CASE("an activation that is linked from what was fed needs no warning")
{
    test::H5File file;
    file.attribute("/", "format", "calibration-dump");
    file.write("/activations/x", {1}, std::vector<float>{1.0F});
    file.write("/feeds/0/other", {1}, std::vector<float>{2.0F});
    file.hardLink("/feeds/0/x", "/activations/x");
    CHECK(DumpFile::open(file.path())->warnings().empty());
    file.hardLink("/activations/y", "/activations/x");
    CHECK(DumpFile::open(file.path())->warnings() ==
          std::vector<std::string>{
              "/activations/x: is also found as /activations/y, and listed once"});
}

TEST_CASE("a dataset under several names comes once, and is found by each of them")
{
    test::H5File file;
    file.write("/a", {1}, std::vector<float>{1.0F});
    file.write("/b", {1}, std::vector<float>{2.0F});
    file.hardLink("/tied", "/a");
    file.softLink("/z", "/a");
    file.softLink("/y", "/b");
    const auto dump = DumpFile::open(file.path());
    REQUIRE(pathsIn(*dump) == std::vector<std::string>{"/a", "/b"});
    CHECK(dump->tensors()[0].otherPaths == std::vector<std::string>{"/tied", "/z"});
    CHECK(dump->indexOf("/tied") == 0);
    CHECK(dump->indexOf("z") == 0);
    CHECK(dump->indexOf("y") == 1);
    CHECK(dump->warnings() == std::vector<std::string>{
                                  "/a: is also found as /tied and 1 further names, and listed once",
                                  "/b: is also found as /y, and listed once"});
}

TEST_CASE("many names for the same datasets are one warning")
{
    test::H5File file;
    for (int number = 10; number < 40; ++number) {
        file.write("/a" + std::to_string(number), {1}, std::vector<float>{1.0F});
        file.hardLink("/b" + std::to_string(number), "/a" + std::to_string(number));
    }
    CHECK(DumpFile::open(file.path())->warnings() ==
          std::vector<std::string>{"/a10: is also found as /b10; so are 29 other datasets under "
                                   "further names, each is listed once"});
}

TEST_CASE("groups may be hundreds deep, and deeper than any recording they are left out")
{
    const auto nested = [](int depth) {
        std::string path;
        for (int level = 0; level < depth; ++level)
            path += "/g";
        return path + "/a";
    };
    test::H5File file;
    file.write(nested(300), {1}, std::vector<float>{3.0F});
    file.write("/ok", {1}, std::vector<float>{1.0F});
    const auto dump = DumpFile::open(file.path());
    REQUIRE(pathsIn(*dump) == std::vector<std::string>{nested(300), "/ok"});
    CHECK(test::valuesOf(dump->source(0)) == std::vector<float>{3.0F});

    test::H5File deeper;
    deeper.write(nested(1001), {1}, std::vector<float>{1.0F});
    deeper.write("/ok", {1}, std::vector<float>{1.0F});
    const auto cut = DumpFile::open(deeper.path());
    REQUIRE(cut->tensors().size() == 2);
    CHECK_THAT(cut->tensors()[0].unreadable.sentence, test::containsText("1000 groups deep"));
    CHECK(cut->tensors()[1].isReadable());
}

TEST_CASE("names may hold anything but a slash")
{
    const std::vector<std::string> names{"/ leading and trailing ",
                                         "/a.b..c",
                                         "/new\nline",
                                         "/\xe6\xa8\xa9\xe9\x87\x8d/\xc3\xa9",
                                         "/quote\"comma,",
                                         "/tab\tand\x01"};
    test::H5File file;
    for (const std::string& name : names)
        file.write(name, {1}, std::vector<float>{1.0F});
    const auto dump = DumpFile::open(file.path());
    std::vector<std::string> sorted = names;
    std::ranges::sort(sorted);
    std::vector<std::string> found = pathsIn(*dump);
    std::ranges::sort(found);
    CHECK(found == sorted);
    for (const std::string& name : names)
        CHECK(test::valuesOf(dump->source(dump->indexOf(name))) == std::vector<float>{1.0F});
}

TEST_CASE("named types and references do no harm")
{
    if (!test::withoutH5py().empty()) {
        WARN(test::withoutH5py());
        return;
    }
    const test::TemporaryFolder folder;
    test::runH5py(folder, R"(
with h5py.File("a.h5", "w") as file:
    file["type"] = np.dtype("f4")
    file.create_dataset("typed", data=np.array([1, 2], "f4"), dtype=file["type"])
    regions = file.create_dataset("regions", (1,), dtype=h5py.regionref_dtype)
    regions[0] = file["typed"].regionref[0:1]
    objects = file.create_dataset("objects", (1,), dtype=h5py.ref_dtype)
    objects[0] = file["typed"].ref
)");
    const std::string path = folder.file("a.h5");
    const auto dump = DumpFile::open(path);
    CHECK(pathsIn(*dump) == std::vector<std::string>{"/objects", "/regions", "/typed"});
    CHECK_THAT(dump->tensors()[0].unreadable.sentence, test::containsText("references"));
    CHECK_THAT(dump->tensors()[1].unreadable.sentence, test::containsText("references"));
    CHECK(test::valuesIn(path, "/typed") == std::vector<float>{1.0F, 2.0F});
}

}  // namespace walk_test
