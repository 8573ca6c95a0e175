#include "core/dump/dump_file.h"
#include "tests/support/catch.h"
#include "tests/support/dump_values.h"
#include "tests/support/h5_file.h"

#include <algorithm>
#include <string>
#include <vector>

using namespace calibscope;

namespace {

std::vector<std::string> pathsIn(const DumpFile& dump)
{
    std::vector<std::string> paths;
    std::ranges::transform(dump.tensors(), std::back_inserter(paths), &TensorInfo::path);
    return paths;
}

}  // namespace

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
          "it is a link to /x in the file none.h5, which is not followed; open that file");
    CHECK(dump->tensors()[2].isReadable());
    CHECK(dump->tensors()[3].unreadable == "it is a link to /a in the file " + other.path() +
                                               ", which is not followed; open that file");
    CHECK_FALSE(dump->tensors()[4].isReadable());
}

TEST_CASE("groups deeper than any recording are left out with a reason, and cost no stack")
{
    std::string path;
    for (int depth = 0; depth < 300; ++depth)
        path += "/g";
    test::H5File file;
    file.write(path + "/a", {1}, std::vector<float>{1.0F});
    file.write("/ok", {1}, std::vector<float>{1.0F});
    const auto dump = DumpFile::open(file.path());
    REQUIRE(dump->tensors().size() == 2);
    CHECK_THAT(dump->tensors()[0].unreadable, test::containsText("200 groups deep"));
    CHECK(dump->tensors()[1].isReadable());
}
