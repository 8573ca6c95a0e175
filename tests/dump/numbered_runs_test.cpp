// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/dump/numbered_runs.h"

#include "tests/support/catch.h"

#include <string>
#include <vector>

namespace numbered_runs_test {

using namespace calibscope;

using Shape = std::vector<std::uint64_t>;
using Indices = std::vector<std::size_t>;

DatasetFacts dataset(const std::string& path, Shape shape)
{
    DatasetFacts facts;
    facts.path = path;
    facts.shape = std::move(shape);
    facts.typeText = "float32";
    facts.element = ElementType{};
    return facts;
}

std::vector<NumberedRun> runsOf(const std::vector<std::string>& paths, const Shape& shape = {4, 2})
{
    std::vector<DatasetFacts> datasets;
    for (const std::string& path : paths)
        datasets.push_back(dataset(path, shape));
    return numberedRuns(datasets);
}

TEST_CASE("numbered datasets of one shape are a run, in the order of their numbers")
{
    const auto runs =
        runsOf({"/a/conv/0", "/a/conv/1", "/a/conv/10", "/a/conv/2", "/a/conv/3", "/a/conv/4",
                "/a/conv/5", "/a/conv/6", "/a/conv/7", "/a/conv/8", "/a/conv/9"});
    REQUIRE(runs.size() == 1);
    CHECK(runs[0].path == "/a/conv");
    CHECK(runs[0].length == 4);
    CHECK(runs[0].datasets == Indices{0, 1, 3, 4, 5, 6, 7, 8, 9, 10, 2});
    CHECK(runs[0].apart.empty());
}

TEST_CASE("batches are numbered in several ways")
{
    for (const std::vector<std::string>& names :
         {std::vector<std::string>{"/c/batch_0", "/c/batch_1"},
          {"/c/000", "/c/001"},
          {"/c/b1", "/c/b2"},
          {"/c/step_3", "/c/step_2", "/c/step_1"},
          {"/c/Batch-0", "/c/Batch-1"},
          {"/c.0", "/c.1"}}) {
        CAPTURE(names);
        const auto runs = runsOf(names);
        REQUIRE(runs.size() == 1);
        CHECK(runs[0].path == "/c");
    }
    CHECK(runsOf({"/c/step_3", "/c/step_2", "/c/step_1"})[0].datasets == Indices{2, 1, 0});
    CHECK(runsOf({"/0", "/1"})[0].path == "/");
}

TEST_CASE("the last one may be shorter along axis 0, no other, and only there")
{
    const auto runs = [](const Shape& first, const Shape& second, const Shape& third) {
        return numberedRuns(std::vector{dataset("/c/0", first), dataset("/c/1", second),
                                        dataset("/c/2", third)})
            .size();
    };
    CHECK(runs({4, 2}, {4, 2}, {4, 2}) == 1);
    CHECK(runs({4, 2}, {4, 2}, {1, 2}) == 1);
    CHECK(runs({4, 2}, {4, 2}, {0, 2}) == 1);
    CHECK(runs({4, 2}, {1, 2}, {4, 2}) == 0);
    CHECK(runs({4, 2}, {4, 2}, {5, 2}) == 0);
    CHECK(runs({4, 2}, {4, 2}, {4, 1}) == 0);
    CHECK(runs({4, 2}, {4, 2}, {4, 2, 1}) == 0);
    CHECK(runs({}, {}, {}) == 0);
}

TEST_CASE("names that count something else, gaps and strangers are not a run")
{
    CHECK(runsOf({"/acts/conv1", "/acts/conv2"}).empty());
    CHECK(runsOf({"/c/0", "/c/2"}).empty());
    CHECK(runsOf({"/c/2", "/c/3"}).empty());
    CHECK(runsOf({"/c/1", "/c/01"}).empty());
    CHECK(runsOf({"/c/0"}).empty());
    CHECK(runsOf({"/c/0", "/c/1", "/c/mean"}).empty());
    CHECK(runsOf({"/c/0", "/c/1", "/c/b2"}).empty());
    CHECK(runsOf({"/c/0", "/c/1", "/c/1.weight"}).empty());
    CHECK(runsOf({"/c/0", "/c/1", "/c.weight"}).empty());
    CHECK(runsOf({}).empty());
}

TEST_CASE("single values and what can't be read may lie beside a run")
{
    DatasetFacts text = dataset("/c/shape", {3});
    text.element.reset();
    const auto runs = numberedRuns(std::vector{dataset("/c/0", {4, 2}), dataset("/c/1", {4, 2}),
                                               dataset("/c/scale", {}), text});
    REQUIRE(runs.size() == 1);
    CHECK(runs[0].datasets == Indices{0, 1});
}

TEST_CASE("datasets of different element types are not a run")
{
    DatasetFacts half = dataset("/c/1", {4, 2});
    half.element = ElementType{.kind = ElementType::Kind::Float16};
    half.typeText = "float16";
    CHECK(numberedRuns(std::vector{dataset("/c/0", {4, 2}), half}).empty());
}

TEST_CASE("numbers that count layers, or datasets as long as the other tensors, stay apart")
{
    CHECK(runsOf({"/model/layers/0", "/model/layers/1"})[0].apart ==
          "numbered neighbours are tensors of their own, since layers counts parts of a model "
          "(numbered-batches)");
    CHECK_FALSE(runsOf({"/layer1.0", "/layer1.1"})[0].apart.empty());
    CHECK_FALSE(runsOf({"/hidden_states/0", "/hidden_states/1"})[0].apart.empty());
    const auto lstm = runsOf({"/conv", "/lstm/0", "/lstm/1"}, {32, 8});
    REQUIRE(lstm.size() == 1);
    CHECK(lstm[0].apart == "numbered neighbours are tensors of their own, since each has as many "
                           "samples as the other tensors, 32 (numbered-batches)");
    const auto batches = numberedRuns(std::vector{
        dataset("/conv", {64, 8}), dataset("/lstm/0", {32, 8}), dataset("/lstm/1", {32, 8})});
    CHECK(batches[0].apart.empty());
    // One mask does not speak against two tensors of batches.
    const auto masked = runsOf({"/a/0", "/a/1", "/b/0", "/b/1", "/mask"}, {4, 16});
    REQUIRE(masked.size() == 2);
    CHECK(masked[0].apart.empty());
    CHECK(masked[1].apart.empty());
}

}  // namespace numbered_runs_test
