// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/deploy/check/check_feeds.h"

#include "core/deploy/check/npy.h"
#include "tests/support/catch.h"
#include "tests/support/h5_file.h"
#include "tests/support/temporary_folder.h"

#include <filesystem>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include <onnx/onnx_pb.h>

namespace check_feeds_test {

using namespace calibscope;
using namespace calibscope::deploy;
using test::containsText;

model::GraphPort port(const std::string& name, int type,
                      std::vector<std::optional<std::uint64_t>> shape)
{
    return {.name = name,
            .op = "Input",
            .elementType = type,
            .hasShape = true,
            .shape = std::move(shape)};
}

/// Five samples of x in batches of two, for a model with a state and a rate.
struct Recurrent
{
    test::H5File file;
    test::TemporaryFolder folder;
    std::vector<model::GraphPort> inputs{
        port("state", ::onnx::TensorProto::FLOAT, {2, std::nullopt, 3}),
        port("x", ::onnx::TensorProto::FLOAT, {std::nullopt, 4}),
        port("rate", ::onnx::TensorProto::INT64, {})};
    std::vector<float> x = std::vector<float>(20);

    explicit Recurrent(const std::string& path)
    {
        std::iota(x.begin(), x.end(), 0.0F);
        file.write(path, {5, 4}, x);
        file.attribute(path, "op_type", std::string("Input"));
        file.attribute(path, "batch_size", std::int64_t{2});
        std::filesystem::create_directory(folder.file("feeds"));
    }

    [[nodiscard]] std::vector<CheckBatch> written(std::map<std::string, double> feeds) const
    {
        const auto dump = DumpFile::open(file.path());
        const RecordedAs recordedAs = [&](const std::string& name) -> std::optional<std::size_t> {
            for (std::size_t index = 0; index < dump->tensors().size(); ++index)
                if (dump->tensors()[index].name == name)
                    return index;
            return std::nullopt;
        };
        CheckOptions options;
        options.feeds = std::move(feeds);
        return writeFeeds(*dump, inputs, recordedAs, options, folder.path(), {});
    }

    [[nodiscard]] NpyArray fed(std::size_t batch, std::size_t place) const
    {
        return readNpy(
            folder.file("feeds/" + std::to_string(batch) + "-" + std::to_string(place) + ".npy"));
    }
};

TEST_CASE("inputs that were not recorded are a number for all elements, as long as the batch")
{
    const Recurrent recurrent("activations/x");
    const std::vector<CheckBatch> batches = recurrent.written({{"state", 0.5}, {"rate", 16000}});
    REQUIRE(batches.size() == 3);
    CHECK(batches[2].count == 1);
    CHECK(recurrent.fed(0, 0).shape == std::vector<std::uint64_t>{2, 2, 3});
    CHECK(recurrent.fed(2, 0).shape == std::vector<std::uint64_t>{2, 1, 3});
    CHECK(floatsOf(recurrent.fed(2, 0)) == std::vector<float>(6, 0.5F));
    CHECK(floatsOf(recurrent.fed(1, 1)) ==
          std::vector<float>(recurrent.x.begin() + 8, recurrent.x.begin() + 16));
    const NpyArray rate = recurrent.fed(1, 2);
    CHECK(rate.shape.empty());
    CHECK(rate.type == NpyType::Int64);
    CHECK(floatsOf(rate) == std::vector<float>{16000.0F});
}

TEST_CASE("inputs that a dump lacks, in /feeds or among its activations")
{
    Recurrent recurrent("activations/x");
    const auto missing = [&] {
        const auto dump = DumpFile::open(recurrent.file.path());
        return unrecordedInputs(
            dump->tensors(), dump->feeds(), recurrent.inputs, [](const std::string& name) {
                return name == "x" ? std::optional<std::size_t>(0) : std::nullopt;
            });
    };
    CHECK(missing() == std::vector<std::string>{"state", "rate"});
    recurrent.file.write("/feeds/0/state", {2, 5, 3}, std::vector<float>(30));
    CHECK(missing() == std::vector<std::string>{"x", "rate"});  // all are to be there then
}

TEST_CASE("what can't be fed is named")
{
    const Recurrent recurrent("activations/x");
    CHECK_THROWS_WITH(recurrent.written({{"state", 0}}),
                      containsText("the model's input \"rate\" was not recorded") &&
                          containsText("--feed NAME=NUMBER"));
    CHECK_THROWS_WITH(recurrent.written({{"stat", 0}}),
                      containsText("--feed stat: the model has no"));
    CHECK_THROWS_WITH(recurrent.written({{"state", 0}, {"rate", 0.5}}),
                      containsText("input \"rate\" of the model"));
    CHECK_THROWS_WITH(recurrent.written({{"state", 0}, {"rate", 1}, {"x", 1}}),
                      containsText("one of the model's inputs at least has to be recorded"));
}

}  // namespace check_feeds_test
