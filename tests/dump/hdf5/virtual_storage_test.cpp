// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/error.h"
#include "tests/support/catch.h"
#include "tests/support/dump_values.h"
#include "tests/support/h5_file.h"
#include "tests/support/h5_other_files.h"
#include "tests/support/h5py.h"

#include <filesystem>
#include <string>
#include <vector>

namespace virtual_storage_test {

using namespace calibscope;

constexpr DumpOptions allowed{.allowExternal = true};

std::vector<float> valuesAllowed(const std::string& path, const std::string& dataset)
{
    const auto dump = DumpFile::open(path, allowed);
    return test::valuesOf(dump->source(dump->indexOf(dataset)));
}

/// Puts a file of one dataset beside a dump.
void writeBeside(const test::H5File& dump, const std::string& name, const std::string& dataset,
                 const test::Shape& shape, const std::vector<float>& values,
                 const test::Storage& storage = {})
{
    test::H5File other;
    other.write(dataset, shape, values, storage);
    std::filesystem::copy_file(other.path(), dump.folder().file(name),
                               std::filesystem::copy_options::overwrite_existing);
}

TEST_CASE("a virtual dataset within its file is read, part by part")
{
    test::H5File file;
    file.write("/parts/a", {1, 3}, std::vector<float>{1.0F, 2.0F, 3.0F});
    file.write("/parts/b", {2, 3}, std::vector<float>{4.0F, 5.0F, 6.0F, 7.0F, 8.0F, 9.0F},
               {.chunk = {1, 3}, .gzip = 4});
    test::writeVirtual(file, "/whole", {3, 3},
                       {{.firstRow = 0, .rows = 1, .dataset = "/parts/a"},
                        {.firstRow = 1, .rows = 2, .dataset = "/parts/b"}});
    CHECK(test::valuesIn(file.path(), "/whole") ==
          std::vector<float>{1.0F, 2.0F, 3.0F, 4.0F, 5.0F, 6.0F, 7.0F, 8.0F, 9.0F});
    CHECK(DumpFile::open(file.path())->warnings().empty());
    test::writeVirtual(file, "/named", {1, 3},
                       {{.firstRow = 0, .rows = 1, .file = "dump.h5", .dataset = "/parts/a"}});
    CHECK(test::listed(file.path(), "/named").unreadable ==
          "it is a virtual dataset: its source /parts/a in the file dump.h5 lies in its own file, "
          "which must be called \".\"; record it again");
}

TEST_CASE("a virtual dataset of other files is read only where that is allowed")
{
    test::H5File file;
    writeBeside(file, "part0.h5", "/a", {1, 2}, {1.0F, 2.0F});
    writeBeside(file, "part1.h5", "/a", {1, 2}, {3.0F, 4.0F});
    test::writeVirtual(file, "/whole", {2, 2},
                       {{.firstRow = 0, .rows = 1, .file = "part0.h5", .dataset = "/a"},
                        {.firstRow = 1, .rows = 1, .file = "part1.h5", .dataset = "/a"}});
    const TensorInfo refused = test::listed(file.path(), "/whole");
    CHECK(refused.shape == std::vector<std::uint64_t>{2, 2});
    CHECK(refused.unreadable ==
          "it is a virtual dataset with values from the file part0.h5; other files are read only "
          "with --allow-external");
    CHECK(valuesAllowed(file.path(), "/whole") == std::vector<float>{1.0F, 2.0F, 3.0F, 4.0F});
    test::writeVirtual(
        file, "/moved", {1, 2},
        {{.firstRow = 0, .rows = 1, .file = "/of/another/machine/part1.h5", .dataset = "/a"}});
    CHECK(valuesAllowed(file.path(), "/moved") == std::vector<float>{3.0F, 4.0F});
}

TEST_CASE("a source that is not there makes no zeros but a sentence")
{
    test::H5File file;
    writeBeside(file, "part.h5", "/a", {1, 2}, {1.0F, 2.0F});
    const auto reasonOf = [&](const test::VirtualPart& part) {
        static int number = 0;
        const std::string path = "/v" + std::to_string(++number);
        test::writeVirtual(file, path, {2, 2},
                           {{.firstRow = 0, .rows = 1, .file = "part.h5", .dataset = "/a"}, part});
        return test::listed(file.path(), path, allowed).unreadable.sentence;
    };
    CHECK(reasonOf({.firstRow = 1, .rows = 1, .file = "gone.h5", .dataset = "/a"}) ==
          "it is a virtual dataset: its source /a in the file gone.h5 cannot be opened: there is "
          "no such file; put it beside this one");
    CHECK(reasonOf({.firstRow = 1, .rows = 1, .file = "part.h5", .dataset = "/b"}) ==
          "it is a virtual dataset: its source /b in the file part.h5 is missing; record it again");
    CHECK(reasonOf({.firstRow = 1, .rows = 1, .dataset = "/b"}) ==
          "it is a virtual dataset: its source /b is missing; record it again");
    CHECK_THAT(reasonOf({.firstRow = 0, .rows = 2, .file = "part.h5", .dataset = "/a"}),
               test::containsText("is smaller than the part that is taken from it"));
}

TEST_CASE("what is wrong with a source is wrong with the virtual dataset")
{
    test::H5File file;
    file.write("/zstd", {1, 2}, std::vector<float>{1.0F, 2.0F},
               {.chunk = {1, 2}, .unknownFilter = 32015});
    file.writeNothing("/unwritten", {1, 2});
    file.externalLink("/link", "part.h5", "/a");
    test::writeVirtual(file, "/v1", {1, 2}, {{.rows = 1, .dataset = "/zstd"}});
    test::writeVirtual(file, "/v2", {1, 2}, {{.rows = 1, .dataset = "/unwritten"}});
    test::writeVirtual(file, "/v3", {1, 2}, {{.rows = 1, .dataset = "/link"}});
    test::writeVirtual(file, "/v4", {1, 2}, {{.rows = 1, .dataset = "/v4"}});
    CHECK_THAT(test::listed(file.path(), "/v1").unreadable.sentence, test::containsText("zstd"));
    CHECK_THAT(test::listed(file.path(), "/v2").unreadable.sentence,
               test::containsText("its source /unwritten cannot be read: it was created, but no "
                                  "values were ever written"));
    CHECK(test::listed(file.path(), "/v3").unreadable ==
          "it is a virtual dataset: its source /link leads to the file part.h5; other files are "
          "read only with --allow-external");
    CHECK_THAT(test::listed(file.path(), "/v4").unreadable.sentence,
               test::containsText("put together from itself"));
}

TEST_CASE("rows that no source gives are the fill value, with a warning")
{
    test::H5File file;
    file.write("/a", {1, 2}, std::vector<float>{1.0F, 2.0F});
    test::writeVirtual(file, "/v", {3, 2}, {{.firstRow = 1, .rows = 1, .dataset = "/a"}}, -1.0F);
    CHECK(test::valuesIn(file.path(), "/v") ==
          std::vector<float>{-1.0F, -1.0F, 1.0F, 2.0F, -1.0F, -1.0F});
    CHECK(DumpFile::open(file.path())->warnings() ==
          std::vector<std::string>{
              "/v: 4 of its values come from no source and are read as its fill value"});
}

TEST_CASE("a virtual dataset of numbered files grows with them")
{
    test::H5File file;
    test::writeVirtualBlocks(file, "/v", 2, "block-%b.h5", "/a");
    CHECK_THAT(test::listed(file.path(), "/v").unreadable.sentence,
               test::containsText("values from the file block-%b.h5; other files are read only"));
    for (const int number : {0, 1, 2})
        writeBeside(file, "block-" + std::to_string(number) + ".h5", "/a", {1, 2},
                    {static_cast<float>(number), 0.5F});
    CHECK(valuesAllowed(file.path(), "/v") ==
          std::vector<float>{0.0F, 0.5F, 1.0F, 0.5F, 2.0F, 0.5F});
}

TEST_CASE("what h5py's VirtualLayout writes is read")
{
    if (!test::withoutH5py().empty()) {
        WARN(test::withoutH5py());
        return;
    }
    const test::TemporaryFolder folder;
    test::runH5py(folder, R"(
layout = h5py.VirtualLayout(shape=(4, 6), dtype="f4")
for number in range(4):
    with h5py.File(f"batch{number}.h5", "w") as file:
        file.create_dataset("x", data=np.arange(6, dtype="f4") + 10 * number, compression="lzf")
    layout[number] = h5py.VirtualSource(f"batch{number}.h5", "x", shape=(6,))
with h5py.File("all.h5", "w", libver="latest") as file:
    file.create_virtual_dataset("x", layout, fillvalue=-1)
)");
    std::vector<float> expected;
    for (int batch = 0; batch < 4; ++batch)
        for (int column = 0; column < 6; ++column)
            expected.push_back(static_cast<float>(column + 10 * batch));
    CHECK(valuesAllowed(folder.file("all.h5"), "/x") == expected);
    std::filesystem::remove(folder.file("batch2.h5"));
    CHECK_THAT(test::listed(folder.file("all.h5"), "/x", allowed).unreadable.sentence,
               test::containsText("its source x in the file batch2.h5 cannot be opened"));
}

}  // namespace virtual_storage_test
