// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/slice_methods.h"

#include "core/engine/methods.h"
#include "core/protocol/codec.h"
#include "tests/engine/fake_dump.h"
#include "tests/support/catch.h"
#include "tests/support/h5_file.h"

#include <numeric>
#include <stop_token>
#include <vector>

namespace slice_methods_test {

using namespace calibscope;
using namespace calibscope::engine;
using namespace calibscope::protocol;
using calibscope::test::containsText;
using calibscope::test::FakeDumps;
using calibscope::test::H5File;

/// 0 to 23 in 2 x 3 x 4.
std::vector<float> counted()
{
    std::vector<float> values(24);
    std::iota(values.begin(), values.end(), 0.0F);
    return values;
}

SliceQuestion plane()
{
    return {.rowAxis = 1, .columnAxis = 2, .at = {1, 0, 0}, .rowCount = 3, .columnCount = 4};
}

/// As a window asks, through the messages.
template <typename Request>
auto asked(Methods& methods, const Request& request)
{
    return decode<typename Method<Request>::Result>(
        methods.call(std::string(Method<Request>::name), encode(request), {}));
}

TEST_CASE("the engine answers with a slice, without a pass over the tensor")
{
    H5File file;
    file.write("/t", {2, 3, 4}, counted());
    Methods methods(dumpFileParts(1 << 24), 1 << 24);
    SliceQuestion question = plane();
    question.clips = {{0.0, 20.0}};
    question.marked = {.domain = Domain::Magnitude, .range = {13.0, 14.0}};
    const Slice slice =
        asked(methods, SliceRequest{.tensor = {.file = file.path()}, .question = question});
    CHECK(slice.low == std::vector<float>{12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23});
    CHECK(slice.high == slice.low);
    CHECK(slice.clippedCount() == 3);
    CHECK(slice.marked == 2);
    CHECK(slice.isWhole());
}

TEST_CASE("the engine tells where values lie in the file, of a part and under another layout")
{
    H5File file;
    file.write("/t", {2, 3, 4}, counted());
    Methods methods(dumpFileParts(1 << 24), 1 << 24);
    TensorRef tensor{.file = file.path()};
    CHECK(asked(methods, LocateRequest{.tensor = tensor, .most = 2}).places ==
          std::vector<std::uint64_t>{23, 22});
    tensor.layoutOverride = {.batchAxis = 2, .batchSize = 1, .channelAxis = 1};
    tensor.part = {.channel = 1, .batches = 2};
    // Axis 1 is 1, axis 2 is 0 or 1.
    const FoundValues found = asked(methods, LocateRequest{.tensor = tensor, .most = 99});
    CHECK(found.places == std::vector<std::uint64_t>{17, 16, 5, 4});
    CHECK(found.values == std::vector<float>{17, 16, 5, 4});
    const FoundValues marked = asked(
        methods, LocateRequest{.tensor = tensor,
                               .marked = MarkedValues{.domain = Domain::Signed, .range = {5, 16}},
                               .most = 99});
    CHECK(marked.places == std::vector<std::uint64_t>{16, 5});  // batch by batch
}

TEST_CASE("the engine names the sample that sets the range, with its index in the file")
{
    H5File file;
    file.write("/t", {2, 3, 4}, counted());
    file.write("/u", {2, 2}, std::vector<float>(4, std::nanf("")));
    Methods methods(dumpFileParts(1 << 24), 1 << 24);
    TensorRef tensor{.file = file.path()};
    CHECK(asked(methods, protocol::ExtremeRequest{tensor}) ==
          SampleExtreme{.sample = 1, .index = 23, .value = 23.0, .others = 11.0});
    tensor.layoutOverride = {.batchAxis = 2, .batchSize = 1};
    tensor.part = {.channel = 0, .batches = 1};  // of all, whatever part is named
    CHECK(asked(methods, protocol::ExtremeRequest{tensor}) ==
          SampleExtreme{.sample = 3, .index = 23, .value = 23.0, .others = 22.0});
    file.attribute("/t", "first_sample", std::int64_t{100});
    Methods later(dumpFileParts(1 << 24), 1 << 24);
    CHECK(asked(later, protocol::ExtremeRequest{{.file = file.path()}}).sample == 101);
    CHECK_THROWS_WITH(later.answer(protocol::ExtremeRequest{{.file = file.path(), .index = 1}}, {}),
                      containsText("has no finite value"));
}

TEST_CASE("what a tensor does not admit, and tensors that are not there, are errors")
{
    H5File file;
    file.write("/t", {2, 3, 4}, counted());
    Methods methods(dumpFileParts(1 << 24), 1 << 24);
    const TensorRef tensor{.file = file.path()};
    SliceQuestion question = plane();
    question.at = {2, 0, 0};
    CHECK_THROWS_WITH(methods.answer(SliceRequest{.tensor = tensor, .question = question}, {}),
                      containsText("does not lie in axis 0"));
    CHECK_THROWS_WITH(
        methods.answer(
            SliceRequest{.tensor = {.file = file.path(), .index = 7}, .question = plane()}, {}),
        containsText("there is no tensor 7"));
    CHECK_THROWS_WITH(methods.answer(LocateRequest{.tensor = tensor, .most = 0}, {}),
                      containsText("places can be asked for"));
    CHECK_THROWS_WITH(methods.answer(LocateRequest{.tensor = tensor, .most = 1U << 30U}, {}),
                      containsText("places can be asked for"));
    TensorRef channel = tensor;
    channel.part.channel = 99;
    CHECK_THROWS_AS(methods.answer(LocateRequest{.tensor = channel}, {}), Error);
    FakeDumps dumps;
    Methods fake(dumps.parts(), 1 << 20);
    CHECK_THROWS_AS(fake.answer(SliceRequest{.tensor = {.file = "a.h5"}, .question = plane()}, {}),
                    Error);
}

TEST_CASE("a search for values stops when it is told to")
{
    FakeDumps dumps;
    Methods methods(dumps.parts(), 1 << 20);
    std::stop_source stop;
    stop.request_stop();
    CHECK_THROWS_AS(methods.answer(LocateRequest{.tensor = {.file = "a.h5", .index = 2}, .most = 3},
                                   Progress(stop.get_token(), {})),
                    Cancelled);
}

}  // namespace slice_methods_test
