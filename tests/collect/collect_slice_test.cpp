// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/collect/collect_slice.h"

#include "core/base/error.h"
#include "core/dump/dump_file.h"
#include "tests/support/catch.h"
#include "tests/support/h5_file.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

namespace collect_slice_test {

using namespace calibscope;
using namespace calibscope::test;

constexpr float notANumber = std::numeric_limits<float>::quiet_NaN();
constexpr float inf = std::numeric_limits<float>::infinity();
constexpr std::uint64_t huge = std::numeric_limits<std::uint64_t>::max();
using Index = std::vector<std::uint64_t>;

/// A tensor in memory: normally distributed values, some of them NaN or infinite.
struct Made
{
    TensorInfo info;
    std::vector<float> values;

    explicit Made(Index shape, std::optional<int> channelAxis = {}, unsigned seed = 1)
    {
        info.name = info.path = "made";
        info.elementType = ElementKind::Float32;
        info.shape = std::move(shape);
        info.channelAxis = channelAxis;
        std::mt19937 random(seed);
        std::normal_distribution<float> normal;
        for (std::uint64_t value = 0; value < info.valueCount(); ++value) {
            const auto kind = random() % 40;
            values.push_back(kind == 0   ? notANumber
                             : kind == 1 ? inf
                             : kind == 2 ? -inf
                             : kind == 3 ? 0.0F
                                         : normal(random));
        }
    }
    [[nodiscard]] ValueBoxes boxes() const { return boxesOf(info, values); }
};

std::uint64_t flatIndexOf(const Index& shape, const Index& index)
{
    std::uint64_t flat = 0;
    for (std::size_t axis = 0; axis < shape.size(); ++axis)
        flat = flat * shape[axis] + index[axis];
    return flat;
}

/// All of two axes, or of one, with the others at `at`.
SliceQuestion allOf(const TensorInfo& info, std::optional<std::uint64_t> rowAxis,
                    std::uint64_t columnAxis, Index at)
{
    SliceQuestion question{.rowAxis = rowAxis, .columnAxis = columnAxis, .at = std::move(at)};
    question.rowCount = rowAxis ? info.shape[*rowAxis] : 1;
    question.columnCount = info.shape[columnAxis];
    return question;
}

/// The rule as it is written, value by value, by full indices: no blocks, no runs, in double.
Slice byRule(const TensorInfo& info, const std::vector<float>& values, const SliceQuestion& asked)
{
    Slice slice{.firstRow = asked.firstRow,
                .firstColumn = asked.firstColumn,
                .rowStep = asked.rowStep,
                .columnStep = asked.columnStep,
                .rowCount = asked.rowCount,
                .columnCount = asked.columnCount};
    slice.rows = (asked.rowCount + asked.rowStep - 1) / asked.rowStep;
    slice.columns = (asked.columnCount + asked.columnStep - 1) / asked.columnStep;
    const std::size_t cells = slice.rows * slice.columns;
    slice.low.assign(cells, notANumber);
    slice.high.assign(cells, notANumber);
    slice.marks.assign(cells, 0);
    slice.clipped.assign(cells, 0);
    for (std::uint64_t row = 0; row < asked.rowCount; ++row)
        for (std::uint64_t column = 0; column < asked.columnCount; ++column) {
            Index index = asked.at;
            if (asked.rowAxis)
                index[*asked.rowAxis] = asked.firstRow + row;
            index[asked.columnAxis] = asked.firstColumn + column;
            const float value = values[flatIndexOf(info.shape, index)];
            const std::size_t cell =
                row / asked.rowStep * slice.columns + column / asked.columnStep;
            ++slice.read;
            if (std::isnan(value)) {
                ++slice.nan;
                slice.marks[cell] |= Slice::HasNan;
                continue;
            }
            if (std::isinf(value)) {
                ++slice.infinite;
                slice.marks[cell] |= value > 0 ? Slice::HasPositiveInf : Slice::HasNegativeInf;
                continue;
            }
            ++slice.finite;
            slice.low[cell] = std::fmin(slice.low[cell], value);
            slice.high[cell] = std::fmax(slice.high[cell], value);
            const double x = static_cast<double>(value);
            if (!asked.clips.empty()) {
                const std::size_t channel =
                    asked.clips.size() > 1
                        ? index[static_cast<std::size_t>(info.channelAxis.value())]
                        : 0;
                const Range clip = asked.clips[channel];
                slice.clipped[cell] += x < clip.low || x > clip.high ? 1U : 0U;
            }
            if (asked.marked) {
                const double of = asked.marked->domain == Domain::Magnitude ? std::abs(x) : x;
                if (of >= asked.marked->range.low && of <= asked.marked->range.high) {
                    ++slice.marked;
                    slice.marks[cell] |= Slice::HasMarked;
                }
            }
        }
    return slice;
}

bool isSameFloat(float one, float other)
{
    return (std::isnan(one) && std::isnan(other)) || one == other;
}

/// All that does not depend on how values are stored.
bool isSame(const Slice& one, const Slice& other)
{
    return one.rows == other.rows && one.columns == other.columns && one.rowStep == other.rowStep &&
           one.columnStep == other.columnStep && one.firstRow == other.firstRow &&
           one.firstColumn == other.firstColumn && one.read == other.read &&
           one.finite == other.finite && one.nan == other.nan && one.infinite == other.infinite &&
           one.marked == other.marked && one.marks == other.marks && one.clipped == other.clipped &&
           std::ranges::equal(one.low, other.low, isSameFloat) &&
           std::ranges::equal(one.high, other.high, isSameFloat);
}

/// Every pair of axes in both orders, and every axis alone.
std::vector<std::pair<std::optional<std::uint64_t>, std::uint64_t>> axesOf(std::size_t count)
{
    std::vector<std::pair<std::optional<std::uint64_t>, std::uint64_t>> axes;
    for (std::uint64_t column = 0; column < count; ++column) {
        axes.emplace_back(std::nullopt, column);
        for (std::uint64_t row = 0; row < count; ++row)
            if (row != column)
                axes.emplace_back(row, column);
    }
    return axes;
}

TEST_CASE("a slice of any two axes, or of one, is what the values at these indices are")
{
    for (const Index& shape : {Index{7}, Index{5, 6}, Index{3, 4, 5}, Index{2, 3, 4, 5}})
        for (const auto& [rowAxis, columnAxis] : axesOf(shape.size())) {
            const Made made(shape, static_cast<int>(shape.size()) - 1);
            Index at;
            for (const std::uint64_t length : shape)
                at.push_back(length / 2);
            SliceQuestion question = allOf(made.info, rowAxis, columnAxis, at);
            for (const std::uint64_t step : {1U, 2U, 3U, 100U}) {
                question.columnStep = step;
                question.rowStep = rowAxis ? step : 1;
                CHECK(isSame(collectSlice(made.boxes(), question),
                             byRule(made.info, made.values, question)));
            }
        }
}

TEST_CASE("what a slice's values are clipped by follows their channel, whichever axis that is")
{
    for (const int channelAxis : {0, 1, 2})
        for (const auto& [rowAxis, columnAxis] : axesOf(3)) {
            const Made made({6, 5, 9}, channelAxis, 7);
            SliceQuestion question = allOf(made.info, rowAxis, columnAxis, {4, 2, 3});
            for (std::uint64_t channel = 0; channel < made.info.channelCount(); ++channel)
                question.clips.push_back({-0.1 * static_cast<double>(channel), 0.3});
            question.columnStep = 2;
            CHECK(isSame(collectSlice(made.boxes(), question),
                         byRule(made.info, made.values, question)));
        }
}

TEST_CASE("a value at an end of the clip range is not clipped, the float beyond it is")
{
    // 0.1 is not a float: the nearest one, 0.100000001, lies above it.
    Made made({4});
    made.values = {0.1F, std::nextafter(0.1F, 0.0F), -0.5F, std::nextafter(-0.5F, -1.0F)};
    SliceQuestion question = allOf(made.info, {}, 0, {0});
    question.clips = {{-0.5, 0.1}};
    CHECK(collectSlice(made.boxes(), question).clipped == Index{1, 0, 0, 1});
    question.clips = {{-1e300, 1e300}};
    CHECK(collectSlice(made.boxes(), question).clippedCount() == 0);
    question.clips = {{1e300, 1e300}};
    CHECK(collectSlice(made.boxes(), question).clippedCount() == 4);
}

TEST_CASE("marked values are those of the range, ends included, by magnitude or by value")
{
    const Made made({8, 9}, {}, 3);
    for (const Domain domain : {Domain::Magnitude, Domain::Signed}) {
        SliceQuestion question = allOf(made.info, 0, 1, {0, 0});
        question.marked = {
            .domain = domain,
            .range = {-0.5, std::abs(static_cast<double>(*std::ranges::find_if(
                                made.values, [](float value) { return value > 0.5F; })))}};
        const Slice slice = collectSlice(made.boxes(), question);
        CHECK(isSame(slice, byRule(made.info, made.values, question)));
        CHECK(slice.marked > 0);
    }
}

TEST_CASE("the values of a histogram's bin are those that it counts there")
{
    const Made made({4096}, {}, 11);
    for (const Domain domain : {Domain::Magnitude, Domain::Signed}) {
        Histogram histogram{.spec = {.bins = 37, .domain = domain}};
        histogram.low = domain == Domain::Magnitude ? 0.0 : -4.1;
        histogram.high = 4.1;
        histogram.counts.assign(37, 0);
        histogram.add(made.values);
        std::uint64_t all = 0;
        for (std::size_t bin = 0; bin < 37; ++bin) {
            SliceQuestion question = allOf(made.info, {}, 0, {0});
            question.columnStep = 4096;
            question.marked = valuesOfBin(histogram, bin);
            const std::uint64_t marked = collectSlice(made.boxes(), question).marked;
            CHECK(marked == histogram.counts[bin]);
            all += marked;
        }
        CHECK(all == histogram.total());
    }
}

TEST_CASE("slices of files are the same however their values are stored, of every type")
{
    const Made made({6, 10, 7}, {}, 5);
    std::vector<double> wide;
    std::vector<double> whole;
    for (const float value : made.values) {
        wide.push_back(static_cast<double>(value));
        whole.push_back(std::isfinite(value) ? std::floor(std::abs(static_cast<double>(value)) * 9)
                                             : 3.0);
    }
    H5File file;
    const Shape shape{6, 10, 7};
    const std::vector<std::pair<std::string, Storage>> storages = {
        {"piece", {}},
        {"chunks", {.chunk = {2, 3, 4}}},
        {"packed", {.chunk = {5, 10, 2}, .hasShuffle = true, .gzip = 4}},
        {"whole_chunk", {.chunk = {6, 10, 7}, .gzip = 1}},
        {"compact", {.isCompact = true}}};
    for (const auto& [name, storage] : storages)
        for (const Stored stored :
             {Stored::Float16, Stored::Float16Big, Stored::Float32, Stored::Float32Big,
              Stored::Float64, Stored::Float64Big, Stored::Bfloat16, Stored::Int32, Stored::Uint8})
            file.write("/" + name + std::to_string(static_cast<int>(stored)), shape,
                       stored == Stored::Int32 || stored == Stored::Uint8 ? whole : wide, stored,
                       storage);
    const auto dump = DumpFile::open(file.path(), {.mergeNumbered = false});
    int compared = 0;
    for (const TensorInfo& tensor : dump->tensors()) {
        if (!tensor.isReadable())
            continue;
        TensorInfo plain = tensor;  // visited in the file's order
        plain.batchAxis.reset();
        plain.batchSize = 0;
        const std::vector<float> values = readAll(dump->source(plain));
        for (const auto& [rowAxis, columnAxis] : axesOf(3)) {
            SliceQuestion question = allOf(tensor, rowAxis, columnAxis, {3, 4, 5});
            question.firstColumn = 1;
            question.columnCount -= 2;
            question.columnStep = 2;
            if (rowAxis) {
                question.firstRow = 2;
                question.rowCount -= 3;
                question.rowStep = 3;
            }
            question.clips = {{-0.7, 1.1}};
            CHECK(isSame(collectSlice(dump->boxes(tensor), question),
                         byRule(tensor, values, question)));
            ++compared;
        }
    }
    CHECK(compared == 5 * 9 * 9);
}

TEST_CASE("a slice goes through the datasets that make up one tensor")
{
    H5File file;
    const Made made({6, 4}, {}, 2);
    for (std::size_t part = 0; part < 3; ++part)
        file.write(
            "/batches/" + std::to_string(part), {2, 4},
            std::vector<float>(made.values.begin() + static_cast<std::ptrdiff_t>(8 * part),
                               made.values.begin() + static_cast<std::ptrdiff_t>(8 * part) + 8));
    const auto dump = DumpFile::open(file.path());
    REQUIRE(dump->tensors().size() == 1);
    const TensorInfo& tensor = dump->tensors().front();
    REQUIRE(tensor.shape == Index{6, 4});
    for (const auto& [rowAxis, columnAxis] : axesOf(2)) {
        const SliceQuestion question = allOf(tensor, rowAxis, columnAxis, {5, 1});
        CHECK(isSame(collectSlice(dump->boxes(tensor), question),
                     byRule(made.info, made.values, question)));
    }
    SliceQuestion middle = allOf(tensor, 0, 1, {0, 0});
    middle.firstRow = 1;
    middle.rowCount = 4;
    CHECK(
        isSame(collectSlice(dump->boxes(tensor), middle), byRule(made.info, made.values, middle)));
}

TEST_CASE("a part is read where all is too much, evenly spaced, and says so")
{
    const Made made({512, 1024}, {}, 4);
    std::uint64_t asked = 0;
    ValueBoxes counted = made.boxes();
    counted.read = [&asked, read = counted.read](std::span<const ValueBox> boxes,
                                                 const Progress& progress) {
        for (const ValueBox& box : boxes)
            asked += box.values();
        return read(boxes, progress);
    };
    SliceQuestion question = allOf(made.info, 0, 1, {0, 0});
    question.rowStep = question.columnStep = 16;
    const Slice whole = collectSlice(counted, question);
    REQUIRE(whole.isWhole());
    CHECK(asked == 512 * 1024);
    for (const std::uint64_t most : {1000000U, 300000U, 100000U, 20000U, 600U}) {
        question.mostBytes = most;
        asked = 0;
        const Slice part = collectSlice(counted, question);
        CHECK_FALSE(part.isWhole());
        CHECK(part.read == asked);
        CHECK(part.read * 4 <= std::max<std::uint64_t>(most, 4));
        CHECK(part.rowEvery * part.columnEvery > 1);
        CHECK(part.allBytes == whole.allBytes);
        CHECK(part.values() == whole.values());
        CHECK(isSame(collectSlice(counted, question), part));
        if (part.rowStep != whole.rowStep || part.columnStep != whole.columnStep)
            continue;
        for (std::size_t cell = 0; cell < part.low.size(); ++cell) {
            CHECK_FALSE((part.marks[cell] & Slice::IsUnread) != 0);
            CHECK_FALSE(part.low[cell] < whole.low[cell]);
            CHECK_FALSE(part.high[cell] > whole.high[cell]);
        }
    }
}

TEST_CASE("of chunks every so many are read, and cells between them are unread")
{
    H5File file;
    const Made made({64, 96}, {}, 6);
    file.write("/t", {64, 96}, made.values, {.chunk = {8, 8}, .gzip = 1});
    const auto dump = DumpFile::open(file.path());
    const TensorInfo& tensor = dump->tensors().front();
    SliceQuestion question = allOf(tensor, 0, 1, {0, 0});
    question.rowStep = question.columnStep = 4;
    const Slice whole = collectSlice(dump->boxes(tensor), question);
    question.mostBytes = whole.allBytes / 5;
    const Slice part = collectSlice(dump->boxes(tensor), question);
    CHECK(part.isByChunks);
    CHECK(part.rowEvery * part.columnEvery >= 5);
    CHECK(part.read <= whole.read / 4);
    std::uint64_t readCells = 0;
    for (std::size_t cell = 0; cell < part.low.size(); ++cell) {
        if ((part.marks[cell] & Slice::IsUnread) != 0)
            continue;
        ++readCells;
        CHECK(isSameFloat(part.low[cell], whole.low[cell]));
        CHECK(isSameFloat(part.high[cell], whole.high[cell]));
        CHECK(part.marks[cell] == whole.marks[cell]);
    }
    CHECK(readCells * 16 == part.read);
}

TEST_CASE("a slice that the tensor does not admit is refused in a sentence")
{
    const Made made({4, 5}, 0);
    const auto refused = [&](const std::function<void(SliceQuestion&)>& edit) {
        SliceQuestion question = allOf(made.info, 0, 1, {0, 0});
        edit(question);
        try {
            (void)collectSlice(made.boxes(), question);
            return false;
        } catch (const Error& error) {
            return error.fault() == Fault::Usage;
        }
    };
    CHECK_FALSE(refused([](SliceQuestion&) {}));
    CHECK(refused([](SliceQuestion& asked) { asked.rowAxis = 1; }));
    CHECK(refused([](SliceQuestion& asked) { asked.rowAxis = huge; }));
    CHECK(refused([](SliceQuestion& asked) { asked.columnAxis = 2; }));
    CHECK(refused([](SliceQuestion& asked) { asked.at = {0}; }));
    CHECK(refused([](SliceQuestion& asked) { asked.firstRow = 4; }));
    CHECK(refused([](SliceQuestion& asked) { asked.firstRow = huge; }));
    CHECK(refused([](SliceQuestion& asked) { asked.rowCount = 0; }));
    CHECK(refused([](SliceQuestion& asked) { asked.rowCount = 5; }));
    CHECK(refused([](SliceQuestion& asked) { asked.columnCount = huge; }));
    CHECK(refused([](SliceQuestion& asked) { asked.columnStep = 0; }));
    CHECK(refused([](SliceQuestion& asked) { asked.rowStep = 0; }));
    CHECK(refused([](SliceQuestion& asked) { asked.clips.resize(3); }));
    CHECK(refused([](SliceQuestion& asked) { asked.clips = {{1.0, -1.0}}; }));
    CHECK(refused([](SliceQuestion& asked) {
        asked.clips = {{std::numeric_limits<double>::quiet_NaN(), 1.0}};
    }));
    CHECK(refused([](SliceQuestion& asked) { asked.marked = {.range = {1.0, 0.0}}; }));
    SliceQuestion line = allOf(made.info, {}, 1, {7, 0});  // the fixed index beyond its axis
    CHECK_THROWS_AS(collectSlice(made.boxes(), line), Error);
    line.at = {3, 99};  // of the axis shown it says nothing
    CHECK_NOTHROW(collectSlice(made.boxes(), line));
    Made scalar(Index{});
    CHECK_THROWS_AS(collectSlice(scalar.boxes(), SliceQuestion{}), Error);
    Made many({1 << 11, 1 << 11});
    CHECK_THROWS_AS(collectSlice(many.boxes(), allOf(many.info, 0, 1, {0, 0})), Error);
}

TEST_CASE("reading a slice stops when it is told to")
{
    const Made made({4, 5});
    std::stop_source stop;
    stop.request_stop();
    CHECK_THROWS_AS(
        collectSlice(made.boxes(), allOf(made.info, 0, 1, {0, 0}), Progress(stop.get_token(), {})),
        Cancelled);
}

}  // namespace collect_slice_test
