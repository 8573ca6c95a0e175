#include "core/spread/joined_tensors.h"

#include "core/base/error.h"
#include "tests/support/catch.h"

#include <string>
#include <vector>

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
    CHECK(spread::isNaturallyLess("rank2.h5", "rank10.h5"));
    CHECK_FALSE(spread::isNaturallyLess("rank10.h5", "rank2.h5"));
    CHECK(spread::isNaturallyLess("rank02", "rank2"));  // alike as numbers: by their characters
    CHECK_FALSE(spread::isNaturallyLess("rank2", "rank02"));
    CHECK(spread::isNaturallyLess("a1b2", "a1b10"));
    CHECK(spread::isNaturallyLess("a", "a1"));
    CHECK(spread::isNaturallyLess("a1", "b"));
    CHECK_FALSE(spread::isNaturallyLess("a1", "a1"));
    // Longer than any integer.
    CHECK(spread::isNaturallyLess("99999999999999999999999", "100000000000000000000000"));
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

TEST_CASE("tensors that are not of one kind are no tensor, and a sentence says why")
{
    const auto problemOf = [](const TensorInfo& one, const TensorInfo& other) {
        const std::vector<ListedFile> files{{.path = "1", .tensors = {one}},
                                            {.path = "2", .tensors = {other}}};
        return spread::joinedFiles(files).tensors.at(0).problem;
    };
    TensorInfo other = activation(6);
    other.shape = {6, 4};
    CHECK(problemOf(activation(6), other) ==
          "2:/activations/a: its shape is 6 x 4, not 6 x 3 as in 1; leave one of the files out "
          "with --without");
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

TEST_CASE("parts that hold other channels of the same samples are not taken for other samples")
{
    std::vector<ListedFile> files{
        {.path = "1", .firstSample = 0, .tensors = {weight({4, 5}), activation(6)}, .shards = {1}},
        {.path = "2", .firstSample = 0, .tensors = {activation(6)}, .shards = {0}}};
    const auto tensors = spread::joinedFiles(files).tensors;
    REQUIRE(tensors.size() == 2);
    CHECK(tensors[0].problem.empty());
    CHECK(tensors[1].problem ==
          "1:/activations/a: its attribute first_channel says that each file holds other channels "
          "of it, and these are not put together; profile the files one by one");
    files.pop_back();
    CHECK(spread::joinedFiles(files).tensors[1].problem.empty());
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
