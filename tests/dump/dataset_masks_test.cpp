// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/dump/dataset_masks.h"

#include "core/base/error.h"
#include "core/collect/collect_profile.h"
#include "core/collect/sample_reader.h"
#include "core/dump/batch_first.h"
#include "core/dump/dump_writer.h"
#include "tests/support/catch.h"
#include "tests/support/dump_values.h"
#include "tests/support/h5_file.h"

#include <filesystem>
#include <fstream>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

namespace dataset_masks_test {

using namespace calibscope;
using test::Stored;

constexpr float notANumber = std::numeric_limits<float>::quiet_NaN();

std::vector<float> ramp(std::size_t count)
{
    std::vector<float> values(count);
    std::iota(values.begin(), values.end(), 0.0F);
    return values;
}

/// Two samples of three tokens with two features, 0 to 11.
test::H5File tokensDump(const std::string& mask, const test::Shape& shape,
                        const std::vector<double>& flags, Stored stored = Stored::Uint8)
{
    test::H5File file;
    file.attribute("/", "format", "calibration-dump");
    file.write("/activations/enc", {2, 3, 2}, ramp(12));
    file.attribute("/activations/enc", "channel_axis", std::int64_t{2});
    file.write(mask, shape, flags, stored);
    return file;
}

std::vector<float> counted(const test::H5File& file, const std::string& name = "enc")
{
    const auto dump = DumpFile::open(file.path());
    return readAll(dump->source(dump->indexOf(name)));
}

const std::vector<double> firstTokens{1, 0, 0, 255, 1, 0};
const std::vector<float> ofFirstTokens{0, 1, 6, 7, 8, 9};

TEST_CASE("a mask is named by an attribute, from the root or beside the tensor, or by its own name")
{
    test::H5File named = tokensDump("/masks/m", {2, 3}, firstTokens);
    named.attribute("/activations/enc", "mask", "/masks/m");
    CHECK(counted(named) == ofFirstTokens);

    test::H5File relative = tokensDump("/activations/attention", {2, 3}, firstTokens);
    relative.attribute("/activations/enc", "mask", "attention");
    CHECK(counted(relative) == ofFirstTokens);

    const test::H5File sibling = tokensDump("/activations/enc.mask", {2, 3}, firstTokens);
    CHECK(counted(sibling) == ofFirstTokens);

    const auto dump = DumpFile::open(sibling.path());
    REQUIRE(dump->tensors().size() == 1);
    const TensorInfo& info = dump->tensors().front();
    CHECK(info.mask->path == "/activations/enc.mask");
    CHECK(info.mask->counted == 6);
    CHECK(info.mask->of == 12);
    CHECK(maskText(info) == "50.0 % of positions count (mask /activations/enc.mask)");
    CHECK(dump->warnings().empty());
}

TEST_CASE("a float dataset of a mask's name is a tensor")
{
    const test::H5File file =
        tokensDump("/activations/enc.mask", {2, 3}, firstTokens, Stored::Float32);
    const auto dump = DumpFile::open(file.path());
    CHECK(dump->tensors().size() == 2);
    CHECK(counted(file).size() == 12);
}

TEST_CASE("axes of a mask are those of the tensor from the first on, each as long or 1")
{
    CHECK(counted(tokensDump("/activations/enc.mask", {2}, {0, 1})) ==
          std::vector<float>{6, 7, 8, 9, 10, 11});
    CHECK(counted(tokensDump("/activations/enc.mask", {1, 3}, {1, 0, 1})) ==
          std::vector<float>{0, 1, 4, 5, 6, 7, 10, 11});
    CHECK(counted(tokensDump("/activations/enc.mask", {2, 1, 2}, {1, 0, 0, 1})) ==
          std::vector<float>{0, 2, 4, 7, 9, 11});
    std::vector<double> one(12, 0.0);
    one[7] = 1.0;
    CHECK(counted(tokensDump("/activations/enc.mask", {2, 3, 2}, one)) == std::vector<float>{7});
}

TEST_CASE("a mask that does not fit makes the tensor unreadable, with the reason")
{
    const auto reasonOf = [](const test::H5File& file) {
        const TensorInfo info = test::listed(file.path(), "/activations/enc");
        CHECK(info.unreadable.reason == Unreadable::Reason::Mask);
        CHECK_FALSE(info.mask);
        const auto dump = DumpFile::open(file.path());
        CHECK_THROWS_AS(readAll(dump->source(dump->indexOf("enc"))), Error);
        return info.unreadable.sentence;
    };
    CHECK(reasonOf(tokensDump("/activations/enc.mask", {2, 3}, std::vector<double>(6, 0.0))) ==
          "its mask /activations/enc.mask is 0 everywhere: no position counts");
    CHECK(reasonOf(tokensDump("/activations/enc.mask", {3, 2}, firstTokens)) ==
          "its mask /activations/enc.mask has the shape 3 x 2, which does not fit its first axes, "
          "of 2 x 3 x 2: each length must be that of the tensor's axis, or 1");
    CHECK(reasonOf(tokensDump("/activations/enc.mask", {2, 3, 1, 1}, firstTokens))
              .find("2 x 3 x 1 x 1") != std::string::npos);
    test::H5File missing = tokensDump("/m", {2, 3}, firstTokens);
    missing.attribute("/activations/enc", "mask", "/masks/gone");
    CHECK(reasonOf(missing) == "its mask /masks/gone is not in the file");
    test::H5File floats = tokensDump("/m", {2, 3}, firstTokens, Stored::Float32);
    floats.attribute("/activations/enc", "mask", "/m");
    CHECK(reasonOf(floats) ==
          "its mask /m is of float32; a mask is of booleans, int8 or uint8 (mask.astype(bool))");
    // What can't be a mask stays a tensor.
    CHECK(DumpFile::open(floats.path())->tensors().size() == 2);
    test::H5File own = tokensDump("/activations/enc.mask", {2, 3}, firstTokens);
    own.attribute("/activations/enc", "mask", "/activations/enc");
    CHECK(reasonOf(own) == "its attribute mask names the tensor itself");
}

TEST_CASE("a mask of a weight is refused, an attribute that is no text is a doubt")
{
    test::H5File file;
    file.attribute("/", "format", "calibration-dump");
    file.write("/weights/w", {2, 2}, ramp(4));
    file.write("/weights/w.mask", {2, 2}, std::vector<double>{1, 1, 0, 1}, Stored::Uint8);
    file.write("/activations/a", {2, 2}, ramp(4));
    file.attribute("/activations/a", "mask", std::int64_t{1});
    CHECK(test::listed(file.path(), "/weights/w").unreadable ==
          "it has a mask, which is for activations");
    const TensorInfo a = test::listed(file.path(), "/activations/a");
    CHECK(a.isReadable());
    CHECK(std::ranges::count(
              a.doubts, "attribute mask is passed over: it is no text; all positions count") == 1);
}

TEST_CASE("an activation with a mask is not read as a weight")
{
    const test::H5File file = tokensDump("/activations/enc.mask", {2, 3}, firstTokens);
    const auto dump = DumpFile::open(file.path());
    TensorInfo info = dump->tensors().front();
    info.role = Role::Weight;
    CHECK_THROWS_AS(dump->source(info), Error);
    info.mask.reset();
    CHECK(readAll(dump->source(info)).size() == 12);
}

TEST_CASE("values that count keep their indices, batches and places behind others")
{
    const test::H5File file = tokensDump("/activations/enc.mask", {2, 3}, {0, 1, 0, 0, 0, 0});
    const auto dump = DumpFile::open(file.path());
    TensorInfo info = dump->tensors().front();
    info.batchSize = 1;
    const auto blocks = test::blocksOf(dump->source(info));
    REQUIRE(blocks.size() == 3);
    CHECK(blocks[0].values == std::vector<float>{2, 3});
    CHECK(blocks[0].firstIndex == 2);
    CHECK(blocks[1].values.empty());
    CHECK(blocks[2].values.empty());
    CHECK(blocks[2].batch == 1);
    const TensorProfile profile = collectProfile(dump->source(info));
    CHECK(profile.batches.at(1).values() == 0);
}

TEST_CASE("another batch axis turns the mask, too, and first batches cut it")
{
    const test::H5File file = tokensDump("/activations/enc.mask", {2, 3}, firstTokens);
    const auto dump = DumpFile::open(file.path());
    TensorInfo info = dump->tensors().front();
    info.batchAxis = 1;
    info.batchSize = 1;
    CHECK(readAll(dump->source(info)) == std::vector<float>{0, 1, 6, 7, 8, 9});
    const ValueSource first = dump->source(info, 1);
    CHECK(readAll(first) == std::vector<float>{0, 1, 6, 7});
    CHECK(first.info.mask->counted == 4);
    CHECK(first.info.mask->of == 4);
}

TEST_CASE("NaN where nothing counts is in no number")
{
    test::H5File file;
    file.write("/activations/a", {4}, std::vector<float>{1.0F, notANumber, -3.0F, notANumber});
    file.write("/activations/a.mask", {4}, std::vector<double>{1, 0, 1, 0}, Stored::Uint8);
    const auto dump = DumpFile::open(file.path());
    const TensorProfile profile = collectProfile(dump->source(0));
    CHECK(profile.extents().nan == 0);
    CHECK(profile.extents().finite == 2);
    CHECK(profile.extents().min == -3.0);
    CHECK_FALSE(profile.firstNotFinite.nan);
}

TEST_CASE("a mask that counts everything gives the numbers of none")
{
    const test::H5File masked = tokensDump("/activations/enc.mask", {1, 1}, std::vector<double>{1});
    CHECK(counted(masked) == ramp(12));
    CHECK(maskText(test::listed(masked.path(), "/activations/enc")) ==
          "100 % of positions count (mask /activations/enc.mask)");
}

TEST_CASE("numbered batches have masks of their own, and those without one count")
{
    test::H5File file;
    for (const std::string part : {"0", "1", "2"})
        file.write("/activations/a/" + part, {2, 2}, ramp(4));
    file.write("/activations/a/1.mask", {2}, std::vector<double>{0, 1}, Stored::Uint8);
    const auto dump = DumpFile::open(file.path());
    REQUIRE(dump->tensors().size() == 1);
    CHECK(dump->tensors()[0].parts.size() == 3);
    CHECK(readAll(dump->source(0)) == std::vector<float>{0, 1, 2, 3, 2, 3, 0, 1, 2, 3});
    CHECK(dump->tensors()[0].mask->counted == 10);
}

TEST_CASE("dumps as one have the masks of each")
{
    const test::H5File masked = tokensDump("/activations/enc.mask", {2, 3}, firstTokens);
    test::H5File whole;
    whole.attribute("/", "format", "calibration-dump");
    whole.write("/activations/enc", {2, 3, 2}, ramp(12));
    whole.attribute("/activations/enc", "channel_axis", std::int64_t{2});
    const test::TemporaryFolder folder;
    std::filesystem::copy_file(masked.path(), folder.file("a.h5"));
    std::filesystem::copy_file(whole.path(), folder.file("b.h5"));
    std::ofstream(folder.file("all.dumplist")) << "a.h5\nb.h5\n";
    const auto dump = DumpFile::open(folder.file("all.dumplist"));
    std::vector<float> expected = ofFirstTokens;
    const std::vector<float> all = ramp(12);
    expected.insert(expected.end(), all.begin(), all.end());
    CHECK(readAll(dump->source(0)) == expected);
    CHECK(dump->tensors()[0].mask->counted == 18);
    CHECK(dump->tensors()[0].mask->of == 24);
}

TEST_CASE("a converted dump has the mask")
{
    const test::H5File file = tokensDump("/activations/enc.mask", {2, 3}, firstTokens);
    const auto dump = DumpFile::open(file.path());
    const test::TemporaryFolder folder;
    TensorInfo all = dump->tensors()[0];
    all.mask.reset();
    {
        DumpWriter writer(folder.file("new.h5"), {});
        writer.add(dump->source(all), {}, {}, dump->mask(dump->tensors()[0]));
        writer.finish();
    }
    const auto written = DumpFile::open(folder.file("new.h5"));
    REQUIRE(written->tensors().size() == 1);
    CHECK(readAll(written->source(0)) == ofFirstTokens);
    CHECK(written->tensors()[0].mask == dump->tensors()[0].mask);
}

TEST_CASE("a reader of samples gives 0 for what does not count, and tells which that is")
{
    const test::H5File file = tokensDump("/activations/enc.mask", {2, 3}, firstTokens);
    const auto dump = DumpFile::open(file.path());
    SampleReader reader(dump->source(0), {});
    const auto next = [&] {
        const std::span<const float> values = reader.next();
        return std::vector<float>(values.begin(), values.end());
    };
    const auto counts = [&] {
        return std::vector<std::uint8_t>(reader.counts().begin(), reader.counts().end());
    };
    CHECK(next() == std::vector<float>{0, 1, 0, 0, 0, 0});
    CHECK(counts() == std::vector<std::uint8_t>{1, 1, 0, 0, 0, 0});
    CHECK(next() == std::vector<float>{6, 7, 8, 9, 0, 0});
    CHECK(counts() == std::vector<std::uint8_t>{1, 1, 1, 1, 0, 0});
}

}  // namespace dataset_masks_test
