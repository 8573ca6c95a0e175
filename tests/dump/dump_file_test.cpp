// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/dump/dump_file.h"

#include "core/base/error.h"
#include "tests/support/catch.h"
#include "tests/support/dump_values.h"
#include "tests/support/file_bytes.h"
#include "tests/support/h5_file.h"

#include <numeric>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace dump_file_test {

using namespace calibscope;

std::vector<float> ramp(std::size_t count)
{
    std::vector<float> values(count);
    std::iota(values.begin(), values.end(), 0.0F);
    return values;
}

/// Two activations and a weight.
test::H5File smallDump()
{
    test::H5File file;
    file.attribute("/", "format", "calibration-dump");
    file.attribute("/", "format_version", std::int64_t{1});
    file.attribute("/", "model", "two layers");
    file.write("/activations/relu", {6, 2}, ramp(12), {.chunk = {2, 2}, .gzip = 4});
    file.attribute("/activations/relu", "batch_size", std::int64_t{2});
    file.paddedAttribute("/activations/relu", "layout", "NC", 8);
    file.attribute("/activations/relu", "inputs", std::vector<std::string>{"conv", "w"});
    file.write("/activations/conv", {6, 2}, ramp(12));
    file.write("/weights/conv", {3, 2}, ramp(6));
    file.attribute("/weights/conv", "channel_axis", std::int64_t{0});
    return file;
}

TEST_CASE("a dump tells its attributes, its tensors and how they are understood")
{
    const test::H5File file = smallDump();
    const auto dump = DumpFile::open(file.path());
    CHECK(dump->identity().path == file.path());
    CHECK(dump->identity().bytes == std::filesystem::file_size(file.path()));
    CHECK(dump->attributes() == std::map<std::string, std::string>{{"format", "calibration-dump"},
                                                                   {"format_version", "1"},
                                                                   {"model", "two layers"}});
    CHECK(dump->warnings().empty());
    REQUIRE(dump->tensors().size() == 3);
    const TensorInfo& relu = dump->tensors()[1];
    CHECK(relu.name == "relu");
    CHECK(relu.shape == std::vector<std::uint64_t>{6, 2});
    CHECK(relu.batchCount() == 3);
    CHECK(relu.channelAxis == 1);
    CHECK(relu.inputs == std::vector<std::string>{"conv", "w"});
    CHECK(relu.compression == "gzip 4");
    CHECK(dump->tensors()[2].role == Role::Weight);
}

TEST_CASE("a recorded order of the graph comes before the order of names")
{
    test::H5File file;
    file.write("/activations/a", {1, 1}, ramp(1));
    file.write("/activations/b", {1, 1}, ramp(1));
    file.write("/activations/c", {1, 1}, ramp(1));
    file.attribute("/activations/b", "order", std::int64_t{1});
    file.attribute("/activations/c", "order", std::int64_t{0});
    const auto dump = DumpFile::open(file.path());
    CHECK(dump->tensors()[0].name == "c");
    CHECK(dump->tensors()[1].name == "b");
    CHECK(dump->tensors()[2].name == "a");
}

TEST_CASE("tensors are found by name or path, and a name of two tensors asks for the path")
{
    const test::H5File file = smallDump();
    const auto dump = DumpFile::open(file.path());
    CHECK(dump->indexOf("relu") == 1);
    CHECK(dump->indexOf("/weights/conv") == 2);
    CHECK(dump->indexOf("weights/conv") == 2);  // as h5py writes it
    CHECK_THROWS_WITH(dump->indexOf("conv"),
                      file.path() + ": conv is the name of 2 tensors; give the path, one of "
                                    "/activations/conv, /weights/conv");
    CHECK_THROWS_WITH(dump->indexOf("rel"),
                      file.path() + ": there is no tensor rel; similar names: relu");
    CHECK_THROWS_AS(dump->indexOf(""), Error);
}

TEST_CASE("odd attributes leave a warning that names the tensor, and fail nothing")
{
    test::H5File file;
    file.write("/activations/a", {2, 2}, ramp(4));
    file.attribute("/activations/a", "batch_size", 2.0);
    file.attribute("/activations/a", "layout", std::int64_t{5});
    const auto dump = DumpFile::open(file.path());
    CHECK(dump->warnings() ==
          std::vector<std::string>{
              "/activations/a: attribute layout is ignored: it is not a string",
              "/activations/a: attribute batch_size is ignored: it is not a whole number"});
    CHECK(test::valuesOf(dump->source(0)) == ramp(4));
}

TEST_CASE("a tensor can be read under another understanding")
{
    const test::H5File file = smallDump();
    const auto dump = DumpFile::open(file.path());
    TensorInfo understood = dump->tensors()[dump->indexOf("/weights/conv")];
    understood.role = Role::Activation;
    understood.batchAxis = 0;
    understood.batchSize = 1;
    understood.channelAxis = 1;
    const ValueSource source = dump->source(understood);
    CHECK(source.info.batchCount() == 3);
    const auto blocks = test::blocksOf(source);
    REQUIRE(blocks.size() == 3);
    CHECK(blocks[2].batch == 2);
    CHECK(blocks[2].values == std::vector<float>{4.0F, 5.0F});
}

TEST_CASE("the first batches alone can be read, and the shape says so")
{
    const test::H5File file = smallDump();
    const auto dump = DumpFile::open(file.path());
    const TensorInfo& relu = dump->tensors()[dump->indexOf("relu")];
    const ValueSource two = dump->source(relu, 2);
    CHECK(two.info.shape == std::vector<std::uint64_t>{4, 2});
    CHECK(two.info.batchCount() == 2);
    CHECK(test::valuesOf(two) == ramp(8));
    CHECK(test::valuesOf(dump->source(relu, 0)) == ramp(12));
    CHECK(test::valuesOf(dump->source(relu, 3)) == ramp(12));
    CHECK(test::valuesOf(dump->source(relu, 99)) == ramp(12));
    const TensorInfo& conv = dump->tensors()[dump->indexOf("/activations/conv")];
    CHECK(test::valuesOf(dump->source(conv, 1)) == ramp(12));  // one batch in all
}

TEST_CASE("a source keeps its file open, and needs a tensor of it")
{
    const test::H5File file = smallDump();
    ValueSource source;
    {
        const auto dump = DumpFile::open(file.path());
        source = dump->source(dump->indexOf("relu"));
        TensorInfo other = dump->tensors()[0];
        other.path = "/elsewhere";
        CHECK_THROWS_AS(dump->source(other), std::invalid_argument);
        TensorInfo longer = dump->tensors()[0];
        longer.shape = {1000000, 1000000};
        CHECK_THROWS_AS(dump->source(longer), std::invalid_argument);
    }
    CHECK(test::valuesOf(source) == ramp(12));
}

TEST_CASE("one dump can be read from several threads")
{
    const test::H5File file = smallDump();
    const auto dump = DumpFile::open(file.path());
    std::vector<std::size_t> right(4);
    std::vector<std::jthread> threads;
    for (std::size_t& count : right)
        threads.emplace_back([&dump, &count] {
            for (int pass = 0; pass < 50; ++pass)
                count += test::valuesOf(dump->source(1)) == ramp(12) ? 1U : 0U;
        });
    threads.clear();
    CHECK(right == std::vector<std::size_t>(4, 50));
}

TEST_CASE("opening tells how far it is, and can be stopped")
{
    test::H5File file;
    for (const char* name : {"/a", "/b", "/c"})
        file.write(name, {2}, std::vector<float>{1.0F, 2.0F});
    std::vector<std::uint64_t> steps;
    std::string places;
    std::stop_source stop;
    const Progress progress(stop.get_token(),
                            [&](std::uint64_t done, std::uint64_t total, std::string_view what) {
                                CHECK(total == 0);  // not known before the end
                                if (what.empty())   // the structure is being checked
                                    return;
                                steps.push_back(done);
                                places += std::string(what) + " ";
                            });
    (void)DumpFile::open(file.path(), {}, progress);
    CHECK(steps == std::vector<std::uint64_t>{0, 0, 1, 2});  // each before its place is looked at
    CHECK(places == "/ /a /b /c ");
    stop.request_stop();
    CHECK_THROWS_AS(DumpFile::open(file.path(), {}, progress), Cancelled);
}

TEST_CASE("a file without datasets has no tensors and says so")
{
    const test::H5File file;
    const auto dump = DumpFile::open(file.path());
    CHECK(dump->tensors().empty());
    CHECK(dump->warnings() == std::vector<std::string>{"/: the file holds no datasets"});
}

TEST_CASE("a dump that was cut anywhere is refused with a sentence, never a crash")
{
    const test::H5File file = smallDump();
    const std::string whole = test::readBytes(file.path());
    const std::string path = file.folder().file("cut.h5");
    for (std::size_t length = 0; length < whole.size(); length += 97) {
        test::writeBytes(path, whole.substr(0, length));
        try {
            static_cast<void>(DumpFile::open(path));
            FAIL("a file cut to " << length << " bytes was opened");
        } catch (const Error& error) {
            CHECK(error.fault() == Fault::Input);
            CHECK(std::string(error.what()).starts_with(path + ": "));
        }
    }
}

TEST_CASE("a dump behind a user block is read")
{
    const test::H5File file = smallDump();
    const std::string path = file.folder().file("user_block.h5");
    test::writeBytes(path, std::string(1024, 'u') + test::readBytes(file.path()));
    CHECK(test::valuesIn(path, "relu") == ramp(12));
}

}  // namespace dump_file_test
