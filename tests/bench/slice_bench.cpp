// SPDX-License-Identifier: GPL-3.0-or-later
// What looking at parts of a large tensor takes: slice_bench DUMP, of its first tensor, which has
// two axes at least. A line a question: time in the engine, time for the message there and back,
// what was read, most memory so far.
#include "core/engine/engine_parts.h"
#include "core/engine/methods.h"
#include "core/protocol/codec.h"

#include <fmt/format.h>

#include <chrono>
#include <ctime>
#include <string>
#include <string_view>
#include <sys/resource.h>
#include <utility>

using namespace calibscope;

namespace {

constexpr std::uint64_t memoryBytes = std::uint64_t{160} << 20U;
constexpr std::uint64_t lookBytes = std::uint64_t{80} << 20U;

double millisecondsOf(auto work)
{
    const auto begin = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin)
        .count();
}

long mostMebibytes()
{
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss / 1024;
}

void ask(engine::Methods& methods, const std::string& what, const protocol::SliceRequest& request)
{
    protocol::Json answer;
    Slice slice;
    std::string frame;
    const std::clock_t busy = std::clock();
    const double inEngine =
        millisecondsOf([&] { answer = methods.call("slice", protocol::encode(request), {}); });
    const double ofProcessors = 1000.0 * static_cast<double>(std::clock() - busy) / CLOCKS_PER_SEC;
    const double travelling = millisecondsOf([&] {
        frame = protocol::toFrame(answer);
        slice = protocol::decode<Slice>(protocol::parseCbor(std::string_view(frame).substr(4)));
    });
    fmt::print(
        "{:24} {:9.1f} ms ({:.0f}) {:7.1f} ms {:5.1f} MB  {:6.2f} % read  {} x {} cells  {} MiB\n",
        what, inEngine, ofProcessors, travelling, static_cast<double>(frame.size()) / 1e6,
        100.0 * static_cast<double>(slice.read) / static_cast<double>(slice.values()), slice.rows,
        slice.columns, mostMebibytes());
}

}  // namespace

int main(int count, char** words)
{
    if (count != 2)
        return 2;
    engine::Methods methods(engine::dumpFileParts(memoryBytes), memoryBytes);
    TensorInfo tensor;
    const double opening = millisecondsOf(
        [&] { tensor = methods.answer(protocol::OpenRequest{words[1]}, {}).tensors.at(0); });
    fmt::print("open {:.1f} ms, {}\n", opening, shapeText(tensor.shape));
    const std::size_t axes = tensor.shape.size();
    protocol::SliceRequest request{.tensor = {.file = words[1]}};
    SliceQuestion& question = request.question;
    question = {.rowAxis = axes - 2,
                .columnAxis = axes - 1,
                .at = std::vector<std::uint64_t>(axes, 0),
                .rowCount = tensor.shape[axes - 2],
                .columnCount = tensor.shape[axes - 1],
                .clips = {{-3.0, 3.0}},
                .mostBytes = lookBytes};
    question.rowStep = (question.rowCount - 1) / 640 + 1;
    question.columnStep = (question.columnCount - 1) / 1024 + 1;
    request.isFirstLook = true;
    ask(methods, "first look", request);
    ask(methods, "the same again", request);
    const protocol::SliceRequest whole = request;
    for (std::uint64_t turn = 1; turn <= 4; ++turn) {
        question.firstRow = turn * question.rowCount / 16;
        question.rowCount = whole.question.rowCount / 8;
        question.columnCount = whole.question.columnCount / 8;
        question.rowStep = (question.rowCount - 1) / 640 + 1;
        question.columnStep = (question.columnCount - 1) / 1024 + 1;
        ask(methods, "an eighth, further down", request);
        request = whole;
    }
    std::swap(*question.rowAxis, question.columnAxis);
    std::swap(question.rowCount, question.columnCount);
    std::swap(question.rowStep, question.columnStep);
    ask(methods, "the other way round", request);
    request = whole;
    question.rowAxis.reset();
    question.rowCount = question.rowStep = 1;
    ask(methods, "a row", request);
    request = whole;
    question.mostBytes = 0;
    ask(methods, "all", request);
    const double locating = millisecondsOf([&] {
        (void)methods.answer(protocol::LocateRequest{.tensor = request.tensor, .most = 10}, {});
    });
    fmt::print("ten largest {:.1f} ms, {} MiB\n", locating, mostMebibytes());
}
