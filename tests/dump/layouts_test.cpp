// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/error.h"
#include "core/dump/layout.h"
#include "tests/support/catch.h"
#include "tests/support/dump_lines.h"
#include "tests/support/dump_values.h"
#include "tests/support/file_bytes.h"
#include "tests/support/h5_file.h"

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

namespace layouts_test {

using namespace calibscope;
using test::H5File;
using test::linesOf;
using test::Shape;

using Lines = std::vector<std::string>;

std::vector<float> countingUp(std::size_t count, float first = 0.0F)
{
    std::vector<float> values(count);
    std::iota(values.begin(), values.end(), first);
    return values;
}

void write(H5File& file, const std::string& path, const Shape& shape)
{
    const auto count = std::accumulate(shape.begin(), shape.end(), 1ULL, std::multiplies{});
    file.write(path, shape, countingUp(count));
}

/// Batches of 4, 4 and 2 samples of 3 values, which count from 0.
H5File numberedBatches(const std::string& folder)
{
    H5File file;
    file.write(folder + "/0", {4, 3}, countingUp(12));
    file.write(folder + "/1", {4, 3}, countingUp(12, 12.0F));
    file.write(folder + "/2", {2, 3}, countingUp(6, 24.0F));
    return file;
}

Lines evidenceOf(const H5File& file, const std::string& path)
{
    return test::listed(file.path(), path).evidence;
}

TEST_CASE("a state_dict has its output channels along axis 0, vectors none, counters no values")
{
    H5File file;
    write(file, "/features.0.weight", {8, 3, 3, 3});
    write(file, "/features.0.bias", {8});
    write(file, "/bn.running_mean", {8});
    file.writeScalar("/bn.num_batches_tracked", 3.0);
    write(file, "/embed.weight", {100, 16});
    write(file, "/fc.weight", {10, 8});
    CHECK(linesOf(file.path()) ==
          Lines{"bn.num_batches_tracked | it is a single value, not a tensor",
                "bn.running_mean | weight | 8 | batch - | channel - | path-words",
                "embed.weight | weight | 100 x 16 | batch - | channel 0 | path-words",
                "fc.weight | weight | 10 x 8 | batch - | channel 0 | path-words",
                "features.0.bias | bias | 8 | batch - | channel - | path-words",
                "features.0.weight | weight | 8 x 3 x 3 x 3 | batch - | channel 0 | path-words?"});
    CHECK(
        evidenceOf(file, "fc.weight") ==
        Lines{"a weight: its path says weight (path-words)",
              "axis 0 is the channel: outputs x inputs, as PyTorch names and writes it (shapes)"});
    CHECK(evidenceOf(file, "features.0.bias") == Lines{"a bias: its path says bias (path-words)"});
    CHECK(evidenceOf(file, "features.0.weight")[1] ==
          "axis 0 is the channel: outputs x inputs x kernel, unless it is a transposed "
          "convolution, which looks the same and has them along axis 1 (shapes)");
    CHECK(evidenceOf(file, "bn.running_mean")[1] ==
          "a vector has one scale as a whole, none per channel (shapes)");
}

TEST_CASE("our layout without the mark: its attributes where they are, else words and shapes")
{
    H5File file;
    write(file, "/activations/block/conv", {4, 8, 5, 5});
    file.attribute("/activations/block/conv", "layout", "NCHW");
    file.attribute("/activations/block/conv", "batch_size", std::int64_t{2});
    write(file, "/activations/fc", {4, 10});
    write(file, "/weights/deconv", {16, 8, 2, 2});
    file.attribute("/weights/deconv", "channel_axis", std::int64_t{1});
    CHECK(linesOf(file.path()) ==
          Lines{"block/conv | activation | 4 x 8 x 5 x 5 | batch 0:2 | channel 1 | "
                "calibration-dump?",
                "fc | activation | 4 x 10 | batch 0 | channel 1 | path-words?",
                "deconv | weight | 16 x 8 x 2 x 2 | batch - | channel 1 | calibration-dump?"});
}

TEST_CASE("our layout with nested groups keeps numbered tensors apart")
{
    H5File file = numberedBatches("/activations/net");
    file.attribute("/", "format", "calibration-dump");
    CHECK(linesOf(file.path()) ==
          Lines{"net/0 | activation | 4 x 3 | batch 0 | channel - | calibration-dump",
                "net/1 | activation | 4 x 3 | batch 0 | channel - | calibration-dump",
                "net/2 | activation | 2 x 3 | batch 0 | channel - | calibration-dump"});
}

TEST_CASE("a file without any attribute: activations by rank, a kernel by its lengths")
{
    H5File file;
    write(file, "/conv", {8, 16, 6, 6});
    write(file, "/fc", {8, 10});
    write(file, "/k", {16, 4, 3, 3});
    write(file, "/tokens", {8, 5, 12});
    write(file, "/v", {7});
    CHECK(linesOf(file.path()) ==
          Lines{"conv | activation | 8 x 16 x 6 x 6 | batch 0 | channel 1 | shapes?",
                "fc | activation | 8 x 10 | batch 0 | channel 1 | shapes?",
                "k | weight | 16 x 4 x 3 x 3 | batch - | channel 0 | shapes?",
                "tokens | activation | 8 x 5 x 12 | batch 0 | channel 2 | shapes?",
                "v | unknown | 7 | batch - | channel - | generic"});
    CHECK(evidenceOf(file, "conv") ==
          Lines{"taken for an activation: nothing says weight (shapes)",
                "axis 0 is the sample (shapes)",
                "axis 1 is the channel: followed by equal spatial axes (shapes)"});
}

TEST_CASE("numbered batches with a short last one are one tensor, whose role its path tells")
{
    const H5File file = numberedBatches("/activations/fc");
    CHECK(linesOf(file.path()) ==
          Lines{"fc | activation | 10 x 3 | batch 0:4 | channel 1 | path-words?"});
    const TensorInfo info = test::listed(file.path(), "/activations/fc");
    CHECK(info.parts == Lines{"/activations/fc/0", "/activations/fc/1", "/activations/fc/2"});
    CHECK(info.evidence.back() ==
          "3 numbered datasets are its batches of 4 along axis 0, unless they are several outputs "
          "(numbered-batches)");
    CHECK(linesOf(file.path(), {.mergeNumbered = false}).size() == 3);
}

TEST_CASE("batches are read one behind the other, whatever the batch size, and a few alone")
{
    const H5File file = numberedBatches("/x/fc");
    const auto dump = DumpFile::open(file.path());
    CHECK(dump->indexOf("/x/fc/1") == 0);
    CHECK(test::valuesOf(dump->source(0)) == countingUp(30));
    CHECK(test::valuesOf(dump->source(dump->tensors()[0], 2)) == countingUp(24));
    TensorInfo threes = dump->tensors()[0];
    threes.batchSize = 3;
    const auto blocks = test::blocksOf(dump->source(threes));
    std::vector<float> values;
    for (const test::SeenBlock& block : blocks) {
        CHECK(block.firstIndex == values.size());
        CHECK(block.firstIndex / 9 == block.batch);
        CHECK((block.firstIndex + block.values.size() - 1) / 9 == block.batch);
        values.insert(values.end(), block.values.begin(), block.values.end());
    }
    CHECK(values == countingUp(30));
    CHECK(test::valuesOf(dump->source(threes, 1)) == countingUp(9));
    threes.batchAxis = 1;
    threes.channelAxis.reset();
    CHECK_THROWS_AS(test::valuesOf(dump->source(threes)), Error);
}

TEST_CASE("reading batches tells how far it is in the whole, and can be stopped")
{
    const H5File file = numberedBatches("/x/fc");
    const auto dump = DumpFile::open(file.path());
    std::vector<std::uint64_t> seen;
    const Progress report({}, [&](std::uint64_t done, std::uint64_t total, std::string_view) {
        CHECK(total == 30);
        seen.push_back(done);
    });
    dump->source(0).visit([](const Block&) {}, report);
    CHECK(seen == std::vector<std::uint64_t>{12, 24, 30});
    std::stop_source stop;
    stop.request_stop();
    CHECK_THROWS_AS(dump->source(0).visit([](const Block&) {}, Progress(stop.get_token(), {})),
                    Cancelled);
}

TEST_CASE("a damaged batch is named in the error")
{
    H5File file;
    file.write("/x/fc/0", {4, 3}, countingUp(12));
    file.write("/x/fc/1", {4, 3}, countingUp(12), {.chunk = {4, 3}, .hasFletcher32 = true});
    std::string bytes = test::readBytes(file.path());
    const std::vector<float> values = countingUp(12);
    const std::string raw(reinterpret_cast<const char*>(values.data()), 48);
    const std::size_t place = bytes.rfind(raw);
    REQUIRE(place != std::string::npos);
    bytes[place + 5] = '\x7f';
    test::writeBytes(file.path(), bytes);
    const auto dump = DumpFile::open(file.path());
    REQUIRE(dump->tensors().size() == 1);
    CHECK_THROWS_WITH(test::valuesOf(dump->source(0)), test::containsText(":/x/fc/1: "));
}

TEST_CASE("weights are never batches")
{
    H5File file;
    write(file, "/params/0", {4, 3});
    write(file, "/params/1", {4, 3});
    CHECK(linesOf(file.path()).size() == 2);
}

TEST_CASE("what is set apart is not read")
{
    H5File file;
    write(file, "/optimizer/vars/1", {2, 2});
    const auto dump = DumpFile::open(file.path());
    CHECK(dump->tensors()[0].isBeside);
    CHECK_THROWS_WITH(test::valuesOf(dump->source(0)),
                      file.path() + ":/optimizer/vars/1: it is the optimizer's state, which is not "
                                    "quantized");
}

TEST_CASE("a role that is none decides nothing")
{
    H5File file;
    write(file, "/a", {4, 2});
    file.attribute("/a", "role", "king");
    CHECK(linesOf(file.path()) == Lines{"a | activation | 4 x 2 | batch 0 | channel 1 | shapes?"});
}

}  // namespace layouts_test
