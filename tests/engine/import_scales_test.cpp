// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/error.h"
#include "core/base/whole_file.h"
#include "core/engine/methods.h"
#include "core/protocol/codec.h"
#include "tests/engine/fake_dump.h"
#include "tests/support/catch.h"
#include "tests/support/temporary_folder.h"

#include <algorithm>

namespace import_scales_test {

using namespace calibscope;
using namespace calibscope::engine;
using namespace calibscope::protocol;
using calibscope::test::containsText;
using calibscope::test::FakeDumps;

ImportedEntry entryOf(const ImportedFile& file, const std::string& name)
{
    const auto found = std::ranges::find(file.entries, name, &ImportedEntry::name);
    REQUIRE(found != file.entries.end());
    return *found;
}

TEST_CASE("the engine lays a file of scales beside a dump's tensors")
{
    FakeDumps dumps;
    Methods methods(dumps.parts(), 1 << 20);
    const DumpOpened opened = methods.answer(OpenRequest{"a.h5"});
    const test::TemporaryFolder folder;
    const std::string path = (folder.path() / "ranges.txt").string();
    const std::string name = opened.tensors.front().name;
    writeWholeFile(path, "net/" + name + ": 1e9\nother: 0\n");
    ImportRequest request{.path = path};
    for (std::uint64_t index = 0; index < opened.tensors.size(); ++index)
        request.tensors.push_back({.file = "a.h5", .index = index});
    // As it travels.
    const auto file = decode<ImportedFile>(encode(methods.answer(request, {})));
    CHECK(file.format == "Dynamic ranges, text (sampleINT8API)");
    const ImportedEntry found = entryOf(file, "net/" + name);
    CHECK(found.tensor == 0);
    CHECK(found.line == 1);
    CHECK(found.isSymmetric);
    REQUIRE(found.range);
    CHECK(found.range->high == 1e9);
    REQUIRE(found.findings.size() == 1);
    CHECK(found.findings.front().level == FindingLevel::Warning);
    CHECK_THAT(found.findings.front().text, containsText("times the data's"));
    const ImportedEntry other = entryOf(file, "other");
    CHECK(!other.tensor);
    CHECK(other.findings.size() == 2);  // of no use, and of no tensor
    CHECK(!file.findings.empty());      // tensors that the file lacks
}

TEST_CASE("the window has a row of ncnn's table beside the input of the layer that it names")
{
    FakeDumps dumps;
    EngineParts parts = dumps.parts();
    parts.open = [open = parts.open](const std::string& path, bool isExternal,
                                     const Progress& progress) {
        OpenDump dump = *open(path, isExternal, progress);
        for (TensorInfo& tensor : dump.tensors) {
            tensor.path = "/" + tensor.name;
            tensor.role = Role::Activation;
        }
        dump.tensors[1].role = Role::Weight;
        dump.tensors[2].op = "Conv";
        dump.tensors[2].node = "conv";
        dump.tensors[2].inputs = {"few", "unreadable"};
        return std::make_shared<const OpenDump>(std::move(dump));
    };
    Methods methods(parts, 1 << 20);
    const test::TemporaryFolder folder;
    const std::string path = (folder.path() / "a.table").string();
    writeWholeFile(path, "conv_param_0 127 \nconv 127 \nendless 127 \n");
    ImportRequest request{.path = path};
    for (std::uint64_t index = 0; index < 4; ++index)
        request.tensors.push_back({.file = "a.h5", .index = index});
    const ImportedFile file = methods.answer(request, {});
    CHECK(entryOf(file, "conv").tensor == 0);
    CHECK(entryOf(file, "conv_param_0").tensor == 1);
    const ImportedEntry output = entryOf(file, "endless");
    CHECK(!output.tensor);
    CHECK_THAT(output.findings.front().text, containsText("a model can supply the graph"));
    CHECK(file.findings.empty());  // neither output is missed
}

TEST_CASE("a file that is not a file of scales is an error of the input")
{
    FakeDumps dumps;
    Methods methods(dumps.parts(), 1 << 20);
    const test::TemporaryFolder folder;
    const std::string path = (folder.path() / "a.txt").string();
    CHECK_THROWS_WITH(methods.answer(ImportRequest{.path = path}, {}), containsText("a.txt"));
    writeWholeFile(path, "hello");
    CHECK_THROWS_WITH(methods.answer(ImportRequest{.path = path}, {}),
                      containsText("is not a known file of scales"));
    writeWholeFile(path, "a: 1\n");
    CHECK_THROWS_WITH(
        methods.answer(ImportRequest{.path = path, .tensors = {{.file = "a.h5", .index = 99}}}, {}),
        containsText("fewer tensors"));
}

}  // namespace import_scales_test
