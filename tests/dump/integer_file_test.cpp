// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/dump/integer_file.h"

#include "core/base/error.h"
#include "core/dump/dump_file.h"
#include "tests/support/catch.h"
#include "tests/support/dump_values.h"
#include "tests/support/file_bytes.h"
#include "tests/support/h5_file.h"
#include "tests/support/temporary_folder.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <numeric>

namespace integer_file_test {

using namespace calibscope;

std::vector<std::int8_t> countingUp(std::size_t count)
{
    std::vector<std::int8_t> integers(count);
    std::iota(integers.begin(), integers.end(), std::int8_t{-60});
    return integers;
}

/// Writes a weight of 3 x 4 x 5 in pieces of that many integers.
void write(const std::string& path, std::size_t piece)
{
    const std::vector<std::int8_t> all = countingUp(60);
    IntegerFile file(path, {{"format", std::string("calibration-quantized")}});
    file.addWeight("a/w", {3, 4, 5},
                   {.scales = {0.5F, 0.25F, 2.0F}, .zeroPoints = {0, 0, 1}, .axis = 0},
                   {{"channel_axis", std::int64_t{0}}, {"graph_name", std::string("/a/w")}},
                   [&](const std::function<void(IntegerFile::Integers)>& give) {
                       for (std::size_t first = 0; first < all.size(); first += piece)
                           give(std::span(all).subspan(first, std::min(piece, all.size() - first)));
                   });
    file.addScales(
        "x", {.scales = {0.125F}, .zeroPoints = {200}, .format = NumberFormat::integers(0, 255)},
        {{"low", 0.0}, {"high", 31.875}});
    CHECK_FALSE(std::filesystem::exists(path));
    file.finish();
}

std::vector<float> valuesAt(const DumpFile& file, const std::string& path)
{
    std::vector<float> values;
    file.source(file.find(path).value())
        .visit(
            [&](const Block& block) {
                values.insert(values.end(), block.values.begin(), block.values.end());
            },
            {});
    return values;
}

std::size_t filesIn(const std::filesystem::path& folder)
{
    return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(folder), {}));
}

TEST_CASE("integers, scales and zero points read back, in whatever pieces they come")
{
    const test::TemporaryFolder folder;
    const std::vector<std::int8_t> integers = countingUp(60);
    for (const std::size_t piece : {1U, 2U, 3U, 7U, 20U, 33U, 60U}) {
        const std::string path = folder.file(std::to_string(piece) + ".h5");
        write(path, piece);
        const auto file = DumpFile::open(path);
        INFO(piece);
        CHECK(std::ranges::equal(valuesAt(*file, "/weights/a.w"), integers));
        CHECK(valuesAt(*file, "/scales/a.w") == std::vector<float>{0.5F, 0.25F, 2.0F});
        CHECK(valuesAt(*file, "/zero_points/a.w") == std::vector<float>{0, 0, 1});
        CHECK(test::singleValue(path, "/scales/x") == 0.125);
        CHECK(test::singleValue(path, "/zero_points/x") == 200.0);
        const TensorInfo& weight = file->tensors()[file->find("/weights/a.w").value()];
        CHECK(weight.elementType == ElementKind::Int8);
        CHECK(weight.channelAxis == 0);
        CHECK(file->tensors()[file->find("/zero_points/x").value()].elementType ==
              ElementKind::Uint8);
        CHECK(file->tensors()[file->find("/scales/x").value()].shape.empty());
        CHECK(file->attributes().at("format") == "calibration-quantized");
    }
}

TEST_CASE("the same calls make the same bytes")
{
    const test::TemporaryFolder folder;
    write(folder.file("a.h5"), 60);
    write(folder.file("b.h5"), 60);
    CHECK(test::readBytes(folder.file("a.h5")) == test::readBytes(folder.file("b.h5")));
}

TEST_CASE("a name is stored once, with dots for slashes, and what HDF5 does not take is refused")
{
    const test::TemporaryFolder folder;
    IntegerFile file(folder.file("a.h5"), {});
    CHECK(file.takes("a/b"));
    file.addScales("a/b", {.scales = {1.0F}, .zeroPoints = {0}}, {});
    CHECK_FALSE(file.takes("a.b"));
    CHECK_FALSE(file.takes("."));
    CHECK_FALSE(file.takes(""));
    CHECK_FALSE(file.takes(std::string("a\0b", 3)));
    CHECK(file.takes("m::x [0]"));
    CHECK(file.takes(".."));
}

TEST_CASE("many scales and long texts fit: they are not attributes of the object's header")
{
    const test::TemporaryFolder folder;
    const std::vector<float> scales(40000, 0.5F);
    IntegerFile file(folder.file("a.h5"), {});
    file.addScales("x", {.scales = scales, .zeroPoints = std::vector<double>(40000), .axis = 0},
                   {{"settings", std::string(100000, 's')}});
    file.finish();
    CHECK(valuesAt(*DumpFile::open(folder.file("a.h5")), "/scales/x") == scales);
}

TEST_CASE("tensors of no, one and no more axes are stored")
{
    const test::TemporaryFolder folder;
    IntegerFile file(folder.file("a.h5"), {});
    const auto one = [](const auto& give) { give(std::vector<std::int8_t>{7}); };
    file.addWeight("scalar", {}, {.scales = {1.0F}, .zeroPoints = {0}}, {}, one);
    file.addWeight("empty", {0, 3}, {.scales = {1.0F}, .zeroPoints = {0}}, {}, [](const auto&) {});
    file.addWeight("list", {1}, {.scales = {1.0F}, .zeroPoints = {0}}, {}, one);
    file.finish();
    const auto back = DumpFile::open(folder.file("a.h5"));
    CHECK(back->tensors()[back->find("/weights/empty").value()].shape ==
          std::vector<std::uint64_t>{0, 3});
    CHECK(valuesAt(*back, "/weights/list") == std::vector<float>{7});
}

TEST_CASE("what is not finished leaves nothing, or the former file")
{
    const test::TemporaryFolder folder;
    std::ofstream(folder.file("former.h5")) << "former";
    {
        IntegerFile file(folder.file("former.h5"), {});
        file.addScales("x", {.scales = {1.0F}, .zeroPoints = {0}}, {});
        IntegerFile other(folder.file("none.h5"), {});
    }
    CHECK(test::readBytes(folder.file("former.h5")) == "former");
    CHECK(filesIn(folder.path()) == 1);
    CHECK_THROWS_AS(IntegerFile(folder.file("no/such/folder.h5"), {}), Error);
}

}  // namespace integer_file_test
