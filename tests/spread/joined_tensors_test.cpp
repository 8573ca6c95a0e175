// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/spread/joined_tensors.h"

#include "core/base/error.h"
#include "tests/support/catch.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace joined_tensors_test {

using namespace calibscope;
using spread::ListedFile;

namespace {

TensorInfo activation(std::uint64_t samples, std::uint64_t batchSize = 2)
{
    TensorInfo info;
    info.name = "a";
    info.path = "/activations/a";
    info.elementType = ElementKind::Float32;
    info.role = Role::Activation;
    info.shape = {samples, 3};
    info.batchAxis = 0;
    info.batchSize = batchSize;
    return info;
}

TensorInfo weight(std::vector<std::uint64_t> shape)
{
    TensorInfo info;
    info.name = "w";
    info.path = "/weights/w";
    info.elementType = ElementKind::Float32;
    info.role = Role::Weight;
    info.shape = std::move(shape);
    info.channelAxis = 0;
    return info;
}

std::vector<std::string> pathsInOrder(const std::vector<ListedFile>& files)
{
    std::vector<std::string> paths;
    for (const std::size_t file : spread::joinedFiles(files).order)
        paths.push_back(files[file].path);
    return paths;
}

}  // namespace

TEST_CASE("names are in natural order, whatever the shell's is")
{
    CHECK(pathsInOrder({{.path = "r10"}, {.path = "r9"}, {.path = "r1"}}) ==
          std::vector<std::string>{"r1", "r9", "r10"});
}

TEST_CASE("first samples decide where all files tell them, else names")
{
    CHECK(pathsInOrder({{.path = "a", .firstSample = 8}, {.path = "b", .firstSample = 0}}) ==
          std::vector<std::string>{"b", "a"});
    CHECK(pathsInOrder({{.path = "b"}, {.path = "a", .firstSample = 8}}) ==
          std::vector<std::string>{"a", "b"});
    CHECK(spread::joinedFiles(std::vector<ListedFile>{{.path = "b"}, {.path = "a"}}).isByName);
    CHECK_FALSE(spread::joinedFiles(std::vector<ListedFile>{{.path = "b"}}).isByName);
}

TEST_CASE("parts are joined along the axis of the batches")
{
    const std::vector<ListedFile> files{{.path = "2", .tensors = {activation(3)}},
                                        {.path = "1", .tensors = {weight({4, 5}), activation(6)}}};
    const spread::JoinedFiles joined = spread::joinedFiles(files);
    REQUIRE(joined.tensors.size() == 2);
    CHECK(joined.tensors[0].isConstant);
    CHECK(joined.tensors[0].info.shape == std::vector<std::uint64_t>{4, 5});
    CHECK_FALSE(joined.tensors[1].isConstant);
    CHECK(joined.tensors[1].info.shape == std::vector<std::uint64_t>{9, 3});
    CHECK(joined.tensors[1].info.batchSize == 2);
    REQUIRE(joined.tensors[1].parts.size() == 2);
    CHECK(joined.tensors[1].parts[0].file == 1);
    CHECK(joined.tensors[1].parts[0].tensor == 1);
    CHECK(joined.tensors[1].problem.empty());
}

TEST_CASE("of one file a tensor stays as it is")
{
    const std::vector<ListedFile> files{{.path = "1", .tensors = {activation(6, 0)}}};
    const spread::JoinedFiles joined = spread::joinedFiles(files);
    CHECK(joined.tensors[0].info.batchSize == 0);
    CHECK(joined.tensors[0].info.shape == std::vector<std::uint64_t>{6, 3});
}

TEST_CASE("tensors that are not of one kind are not a tensor, and a sentence says why")
{
    const auto problemOf = [](const TensorInfo& one, const TensorInfo& other) {
        const std::vector<ListedFile> files{{.path = "1", .tensors = {one}},
                                            {.path = "2", .tensors = {other}}};
        return spread::joinedFiles(files).tensors.at(0).problem;
    };
    TensorInfo other = activation(6);
    other.shape = {6, 4};
    CHECK(problemOf(activation(6), other) ==
          "2:/activations/a: its shape is 6 x 4, not 6 x 3 as in 1; leave one of the files out");
    other = activation(6);
    other.elementType = ElementKind::Float16;
    CHECK(problemOf(activation(6), other).find("its values are float16, not float32") !=
          std::string::npos);
    other = activation(6);
    other.channelAxis = 1;
    CHECK(problemOf(activation(6), other).find("axes are understood otherwise") !=
          std::string::npos);
    CHECK(problemOf(weight({4, 5}), weight({5, 5})).find("its shape is 5 x 5") !=
          std::string::npos);
    other = activation(6);
    other.unreadable = {Unreadable::Reason{}, "it cannot be read"};
    CHECK(problemOf(activation(6), other) == "2:/activations/a: it cannot be read");
}

namespace {

/// A file of a tensor-parallel recording that holds channels of an activation.
ListedFile rank(const std::string& path, std::optional<std::uint64_t> firstSample,
                std::uint64_t firstChannel, std::uint64_t channels, std::uint64_t samples = 4)
{
    TensorInfo info = activation(samples);
    info.shape.push_back(5);
    info.shape[1] = channels;
    info.channelAxis = 1;
    return {.path = path,
            .firstSample = firstSample,
            .tensors = {info},
            .shards = {{.tensor = 0, .firstChannel = firstChannel}}};
}

spread::JoinedTensor firstOf(const std::vector<ListedFile>& files)
{
    return spread::joinedFiles(files).tensors.at(0);
}

/// "2+0 1 | 3": the files of the parts with their copies, and where other samples begin.
std::string partsText(const spread::JoinedTensor& tensor, const std::vector<ListedFile>& files)
{
    std::string text;
    std::size_t group = 0;
    for (const spread::JoinedPart& part : tensor.parts) {
        text += text.empty() ? "" : part.group == group ? " " : " | ";
        text += files[part.file].path;
        for (const spread::JoinedPart& copy : part.copies)
            text += "+" + files[copy.file].path;
        group = part.group;
    }
    return text;
}

}  // namespace

TEST_CASE("parts of the same samples are joined along the channels")
{
    std::vector<ListedFile> files{rank("d", 4, 3, 6), rank("b", 0, 2, 7), rank("c", 4, 0, 3),
                                  rank("a", 0, 0, 2)};
    spread::JoinedTensor joined = firstOf(files);
    CHECK(joined.problem.empty());
    CHECK(joined.isSharded);
    CHECK(joined.info.shape == std::vector<std::uint64_t>{8, 9, 5});
    CHECK(joined.info.batchSize == 2);
    CHECK(partsText(joined, files) == "a b | c d");
    CHECK(joined.parts[3].firstChannel == 3);

    // All that the recorder says there are, and not more.
    for (ListedFile& file : files)
        file.shards[0].allChannels = 9;
    CHECK(firstOf(files).problem.empty());
    files[0].shards[0].allChannels = 12;
    CHECK(firstOf(files).problem ==
          "d:/activations/a: it says that there are 12 channels, but the files of its samples hold "
          "9; name those that hold the others");
    files[0].shards[0].allChannels = 8;
    CHECK_THAT(firstOf(files).problem, test::containsText("let the recorder write"));
    // Of a single file a tensor stays as it is.
    files.resize(1);
    CHECK(firstOf(files).problem.empty());

    // Without first samples: the n-th of each first channel. Names may tell either rank first.
    files = {rank("dp0_tp0", {}, 0, 2), rank("dp0_tp1", {}, 2, 7), rank("dp1_tp0", {}, 0, 2),
             rank("dp1_tp1", {}, 2, 7)};
    CHECK(partsText(firstOf(files), files) == "dp0_tp0 dp0_tp1 | dp1_tp0 dp1_tp1");
    files = {rank("tp0_dp0", {}, 0, 2), rank("tp0_dp1", {}, 0, 2), rank("tp1_dp0", {}, 2, 7),
             rank("tp1_dp1", {}, 2, 7)};
    CHECK(partsText(firstOf(files), files) == "tp0_dp0 tp1_dp0 | tp0_dp1 tp1_dp1");
    // Two ranks may hold the same channels, as of few heads of keys.
    files = {rank("0", 0, 0, 2), rank("1", 0, 0, 2), rank("2", 0, 2, 1), rank("3", 0, 2, 1)};
    CHECK(partsText(firstOf(files), files) == "0+1 2+3");
}

TEST_CASE("channels that are missing, there twice or not known leave the tensor out")
{
    const auto problemOf = [](const std::vector<ListedFile>& files) {
        const spread::JoinedTensor joined = firstOf(files);
        CHECK(joined.parts.size() == files.size());
        return joined.problem;
    };
    CHECK(problemOf({rank("1", 0, 0, 3), rank("2", 0, 4, 3)}) ==
          "2:/activations/a: its first channel is number 4, and number 3 is in no file of the same "
          "samples; name the file that holds it");
    CHECK(problemOf({rank("1", 0, 3, 3), rank("2", 0, 6, 3)}) ==
          "1:/activations/a: its first channel is number 3, and number 0 is in no file of the same "
          "samples; name the file that holds it");
    CHECK(problemOf({rank("1", 0, 0, 3), rank("2", 0, 2, 3)}) ==
          "2:/activations/a: its first channel is number 2, but 1 has the channels up to number 2 "
          "of the same samples; first_channel must tell them apart");
    CHECK(problemOf({rank("1", 0, 0, 3), rank("2", 0, 0, 2)}).find("must tell them apart") !=
          std::string::npos);
    CHECK(problemOf({rank("1", 0, 0, 3), rank("2", 0, 3, 3), rank("3", 4, 0, 3)}) ==
          "3:/activations/a: its last channel is number 2, but 5 in other samples; name the file "
          "that holds the others");
    CHECK(problemOf({rank("1", 0, 0, 3), rank("2", 0, 3, 3, 6)}) ==
          "2:/activations/a: it has 6 samples, but 4 samples in 1, which are the same ones");
    ListedFile other = rank("2", 0, 3, 3);
    other.tensors[0].batchSize = 1;
    CHECK(problemOf({rank("1", 0, 0, 3), other}) ==
          "2:/activations/a: its batches are of 1 sample, not of 2 as those of the same samples in "
          "1");
    other = rank("2", 0, 3, 3);
    other.tensors[0].elementType = ElementKind::Float16;
    CHECK(problemOf({rank("1", 0, 0, 3), other}).find("its values are float16, not float32") !=
          std::string::npos);
    other = rank("2", 0, 3, 3);
    other.tensors[0].shape[2] = 6;
    CHECK(problemOf({rank("1", 0, 0, 3), other}).find("its shape is 4 x 3 x 6") !=
          std::string::npos);
    other = rank("2", 4, 3, 3);
    other.shards.clear();
    CHECK(problemOf({rank("1", 0, 0, 3), other}) ==
          "2:/activations/a: it has no attribute first_channel, as it has in 1; record both alike, "
          "or leave one of the files out");
    other = rank("2", 0, 3, 3);
    other.shards[0] = {.tensor = 0, .firstChannel = {}, .problem = "2:/activations/a: odd"};
    CHECK(problemOf({rank("1", 0, 0, 3), other}) == "2:/activations/a: odd");
    CHECK(problemOf({other}) == "2:/activations/a: odd");
    std::vector<ListedFile> files{rank("1", 0, 0, 3), rank("2", 0, 3, 3)};
    for (ListedFile& file : files)
        file.tensors[0].channelAxis.reset();
    CHECK(problemOf(files) == "1:/activations/a: it has the attribute first_channel, but no axis "
                              "that is known to be its channels'; give --channel-axis");
    CHECK(problemOf({rank("1", 0, 0, 3), rank("2", 0, 3, 0)}) ==
          "2:/activations/a: it holds no channels");
}

TEST_CASE("of one file a tensor stays as it is, whatever channels it holds")
{
    std::vector<ListedFile> files{rank("1", 0, 6, 3)};
    CHECK(firstOf(files).problem.empty());
    CHECK_FALSE(firstOf(files).isSharded);
    files[0].tensors[0].channelAxis.reset();
    CHECK(firstOf(files).problem.empty());
    // Among others it is one whose first channels are missing.
    files.push_back({.path = "2", .firstSample = 4, .tensors = {}, .shards = {}});
    CHECK_FALSE(firstOf(files).problem.empty());
}

TEST_CASE("what files with shards hold as a whole they hold as copies")
{
    const auto with = [](ListedFile file, bool hasShard = true) {
        TensorInfo whole = activation(4);
        whole.path = "/activations/norm";
        file.tensors.insert(file.tensors.begin(), whole);
        file.shards.front().tensor = 1;
        if (!hasShard)
            file.shards.clear();
        return file;
    };
    std::vector<ListedFile> files{with(rank("1", 0, 0, 3)), with(rank("2", 0, 3, 3)),
                                  with(rank("3", 4, 0, 3)), with(rank("4", 4, 3, 3))};
    CHECK(partsText(firstOf(files), files) == "1+2 | 3+4");
    CHECK(firstOf(files).info.shape == std::vector<std::uint64_t>{8, 3});
    // With shards that are not listed it is the same.
    for (ListedFile& file : files) {
        file.tensors.resize(1);
        file.shards.clear();
        file.holdsShards = true;
    }
    CHECK(partsText(firstOf(files), files) == "1+2 | 3+4");
    // Without first samples they are known by their shards alone.
    for (ListedFile& file : files)
        file.firstSample.reset();
    CHECK(firstOf(files).problem.find("1:/activations/norm: files hold channel shards") == 0);
    files = {with(rank("1", {}, 0, 3)), with(rank("2", {}, 0, 3)), with(rank("3", {}, 3, 3)),
             with(rank("4", {}, 3, 3))};
    CHECK(partsText(firstOf(files), files) == "1+3 | 2+4");
    // In another file tensors contradict that.
    TensorInfo other = files[0].tensors[1];
    other.path = "/activations/b";
    files[1].tensors.push_back(other);
    files[1].shards.push_back({.tensor = 2, .firstChannel = 0});
    CHECK(firstOf(files).problem.find("let the recorder write first_sample") != std::string::npos);
    // Files without shards do not hold copies.
    CHECK_THROWS_WITH(
        spread::joinedFiles(std::vector{with(rank("1", 0, 0, 3)), with(rank("2", 0, 3, 3), false)}),
        test::containsText("first_sample must tell them apart"));
    files = {with(rank("1", 0, 0, 3)), with(rank("2", 0, 3, 3))};
    files[1].tensors[0].shape[0] = 2;
    CHECK(firstOf(files).problem ==
          "2:/activations/norm: it has 2 samples, but 4 samples in 1, which are the same ones");
}

TEST_CASE("samples of other shards that overlap are refused")
{
    CHECK_THROWS_WITH(firstOf({rank("1", 0, 0, 3), rank("2", 0, 3, 3), rank("3", 2, 0, 3)}),
                      test::containsText("3:/activations/a: its first sample is number 2, but 1 "
                                         "has 4 samples from number 0 on"));
}

TEST_CASE("first samples that overlap are refused")
{
    std::vector<ListedFile> files{{.path = "1", .firstSample = 0, .tensors = {activation(6)}},
                                  {.path = "2", .firstSample = 6, .tensors = {activation(6)}}};
    CHECK_NOTHROW(spread::joinedFiles(files));
    files[1].firstSample = 5;
    CHECK_THROWS_AS(spread::joinedFiles(files), Error);
    // Other tensors of the same samples, as the stages of a pipeline record them.
    files[1].firstSample = 0;
    files[1].tensors[0].path = "/activations/b";
    CHECK_NOTHROW(spread::joinedFiles(files));
}

}  // namespace joined_tensors_test
