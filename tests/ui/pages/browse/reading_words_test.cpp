// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/browse/reading_words.h"

#include "core/tensor/tensor_info.h"
#include "tests/support/catch.h"

namespace reading_words_test {

using namespace calibscope;

/// Of a gigabyte as float32, in batches of so many of its 16 samples.
TensorInfo gigabyte(std::uint64_t batchSize)
{
    return {.name = "a", .shape = {16, 15'625'000}, .batchAxis = 0, .batchSize = batchSize};
}

ReadingWords wordsOn(const TensorInfo& tensor)
{
    ReadingWords words;
    words.start(tensor);
    return words;
}

TEST_CASE("reading tells the batch, the share and the rate")
{
    ReadingWords words = wordsOn(gigabyte(1));
    CHECK(words.text() == "Reading...");
    words.setShare(0.16, 500);
    CHECK(words.text().toStdString() == "Reading batch 3 of 16: 16 %, ≈ 320 MB/s");
    words.setShare(1.0, 2000);
    CHECK(words.text().startsWith("Reading batch 16 of 16: 100 %"));
}

TEST_CASE("a tensor of one batch has a share alone, and no rate at first")
{
    ReadingWords words = wordsOn(gigabyte(0));
    words.setShare(0.25, 50);
    CHECK(words.text() == "Reading: 25 %");
}

TEST_CASE("another pass over the values is told, its rate is its own")
{
    ReadingWords words = wordsOn(gigabyte(1));
    words.setShare(1.0, 4000);
    words.setShare(0.5, 5000);
    CHECK(words.text().toStdString() ==
          "Reading batch 9 of 16: 50 %, ≈ 500 MB/s (pass 2 over the values)");
}

TEST_CASE("stopped reading tells the last batch that was read in full")
{
    ReadingWords words = wordsOn(gigabyte(1));
    words.setShare(0.19, 100);
    CHECK(words.stoppedText() == "Stopped after batch 3 of 16.");
    words.setShare(0.1, 200);
    CHECK(words.stoppedText() == "Stopped in pass 2 over the values.");
    ReadingWords whole = wordsOn(gigabyte(0));
    whole.setShare(0.19, 100);
    CHECK(whole.stoppedText() == "Stopped after 19 % of the values.");
}

TEST_CASE("the share of the first batch is told of the values, not of the batches")
{
    CHECK(wordsOn(gigabyte(1)).firstBatchText().toStdString() ==
          "Numbers are from the first batch, ≈ 6.25 % of the values.");
    CHECK(wordsOn(gigabyte(5)).firstBatchText().toStdString() ==
          "Numbers are from the first batch, ≈ 31.3 % of the values.");  // of 5, 5, 5 and 1 sample
}

}  // namespace reading_words_test
