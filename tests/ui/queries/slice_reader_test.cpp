// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/queries/slice_reader.h"

#include "tests/support/catch.h"
#include "tests/support/fake_engine.h"
#include "tests/support/slice_answers.h"

#include <limits>
#include <utility>

namespace slice_reader_test {

using namespace calibscope;
using namespace calibscope::test;
using Index = std::vector<std::uint64_t>;

float valueOf(const Index& index)
{
    return static_cast<float>(100 * index[0] + index[1]);
}

struct TestedReader
{
    FakeEngine engine;
    TensorQuestions questions{engine};
    SliceReader reader{questions};

    static SliceQuestion plane()
    {
        return {.rowAxis = 0,
                .columnAxis = 1,
                .at = {0, 0},
                .rowCount = 40,
                .columnCount = 30,
                .rowStep = 2,
                .columnStep = 3};
    }
    void show(const SliceQuestion& question)
    {
        reader.show({.tensor = {.file = "a.h5"}, .whole = question, .part = {}, .line = {}});
    }
    [[nodiscard]] const SliceQuestion& asked() { return engine.slices.front().request.question; }
    /// A first look at every other row; `allBytes` of all decides how many bands there are.
    void answerLook(std::uint64_t allBytes)
    {
        Slice look = sliceOf(asked(), valueOf);
        look.read /= 2;
        look.rowEvery = 2;
        look.allBytes = allBytes;
        FakeEngine::answer(engine.slices, look);
    }
    void answerWhole() { FakeEngine::answer(engine.slices, sliceOf(asked(), valueOf)); }
};

TEST_CASE("a slice is looked at first, then read in bands that make up the whole")
{
    TestedReader test;
    test.show(TestedReader::plane());
    CHECK(test.engine.slices.front().request.isFirstLook);
    CHECK(test.asked().mostBytes == SliceReader::lookBytes);
    test.answerLook(3 * SliceReader::bandBytes);
    REQUIRE(test.reader.whole());
    CHECK_FALSE(test.reader.whole()->isWhole());
    Index firsts;
    while (!test.engine.slices.empty()) {
        CHECK_FALSE(test.engine.slices.front().request.isFirstLook);
        CHECK(test.asked().mostBytes == 0);
        firsts.push_back(test.asked().firstRow);
        test.answerWhole();
    }
    CHECK(firsts == Index{0, 10, 20, 30});
    CHECK(test.reader.isComplete());
    const Slice whole = sliceOf(TestedReader::plane(), valueOf);
    CHECK(test.reader.whole()->low == whole.low);
    CHECK(test.reader.whole()->high == whole.high);
    CHECK(test.reader.whole()->finite == whole.finite);
    CHECK(test.reader.whole()->isWhole());
}

TEST_CASE("a look that is at work is shown though another is wanted, a band is given up")
{
    TestedReader test;
    SliceQuestion question = TestedReader::plane();
    test.show(question);
    const quint64 look = test.engine.slices.front().id;
    for (std::uint64_t step = 3; step < 6; ++step) {
        question.rowStep = step;
        test.show(question);
    }
    CHECK_FALSE(test.engine.cancelled.contains(look));
    CHECK(test.engine.slices.size() == 1);
    test.answerLook(SliceReader::bandBytes);
    CHECK(test.reader.whole()->rowStep == 2);
    CHECK(test.asked().rowStep == 5);  // the latest, none between
    test.answerLook(SliceReader::bandBytes);
    const quint64 band = test.engine.slices.front().id;
    question.rowStep = 7;
    test.show(question);
    CHECK(test.engine.cancelled.contains(band));
}

TEST_CASE("an answer that is not of the question is refused")
{
    TestedReader test;
    test.show(TestedReader::plane());
    SliceQuestion other = TestedReader::plane();
    other.firstRow = 2;
    FakeEngine::answer(test.engine.slices, sliceOf(other, valueOf));
    CHECK_FALSE(test.reader.whole());
    CHECK_THAT(test.reader.problem().toStdString(), containsText("another kind"));
    CHECK(test.reader.isComplete());
    test.reader.clear();
    test.show(TestedReader::plane());
    test.answerLook(SliceReader::bandBytes);
    other = test.asked();
    other.rowStep = 3;
    FakeEngine::answer(test.engine.slices, sliceOf(other, valueOf));
    CHECK_FALSE(test.reader.problem().isEmpty());
}

TEST_CASE("a band takes the place of its cells, and what is none is refused")
{
    const Slice whole = sliceOf(TestedReader::plane(), valueOf);
    SliceQuestion question = TestedReader::plane();
    question.firstRow = 4;
    question.rowCount = 6;
    Slice band = sliceOf(question, [](const Index&) { return 7.0F; });
    const std::optional<Slice> joined = withBand(whole, band);
    REQUIRE(joined);
    CHECK(joined->low[whole.cell(1, 9)] == whole.low[whole.cell(1, 9)]);
    CHECK(joined->low[whole.cell(2, 0)] == 7.0F);
    CHECK(joined->low[whole.cell(4, 9)] == 7.0F);
    CHECK(joined->low[whole.cell(5, 0)] == whole.low[whole.cell(5, 0)]);
    CHECK(joined->read == whole.read + band.read);
    band.firstRow = 5;
    CHECK_FALSE(withBand(whole, band));
    band.firstRow = 38;
    CHECK_FALSE(withBand(whole, band));
}

TEST_CASE("cells that were not read show values of the nearest ones, and stay unread")
{
    const float none = std::numeric_limits<float>::quiet_NaN();
    Slice slice{.rowCount = 4, .columnCount = 5, .rows = 4, .columns = 5};
    slice.low.assign(20, none);
    slice.high.assign(20, none);
    slice.marks.assign(20, Slice::IsUnread);
    slice.clipped.assign(20, 0);
    for (const auto& [cell, value] :
         {std::pair(5, 1.0F), std::pair(9, 2.0F), std::pair(15, 3.0F)}) {
        slice.low[static_cast<std::size_t>(cell)] = slice.high[static_cast<std::size_t>(cell)] =
            value;
        slice.marks[static_cast<std::size_t>(cell)] = 0;
    }
    const Slice filled = withoutGaps(slice);
    CHECK(filled.low ==
          std::vector<float>{1, 1, 2, 2, 2, 1, 1, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3});
    CHECK(filled.marks == slice.marks);
    slice.marks.assign(20, Slice::IsUnread);
    CHECK(withoutGaps(slice).marks == slice.marks);  // there is nothing to take
}

TEST_CASE("another tensor forgets what was read")
{
    TestedReader test;
    test.show(TestedReader::plane());
    test.answerWhole();
    REQUIRE(test.reader.whole());
    test.reader.show({.tensor = {.file = "a.h5", .index = 1},
                      .whole = TestedReader::plane(),
                      .part = {},
                      .line = {}});
    CHECK_FALSE(test.reader.whole());
}

}  // namespace slice_reader_test
