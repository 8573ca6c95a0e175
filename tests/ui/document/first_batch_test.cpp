// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/tested_document.h"
#include "ui/document/questions.h"

#include <QSignalSpy>

namespace first_batch_test {

using namespace calibscope;
using namespace calibscope::test;

struct LargeTensor : TestedDocument
{
    LargeTensor() { openLargeDump(); }
    void answerFirst() { answerView(); }
};

TEST_CASE("of a large tensor the first batch is asked first, without outcomes, then all of it")
{
    LargeTensor test;
    REQUIRE(test.waited.views.size() == 2);
    CHECK(test.waited.views[0].request.tensor.part.batches == 1U);
    CHECK(test.waited.views[0].request.choices.empty());
    CHECK(test.waited.views[1].request.tensor.part.isWhole());
    const QSignalSpy read(&test.document.questions(), &Questions::firstBatchRead);
    CHECK(test.document.questions().firstBatch() == nullptr);
    test.answerFirst();
    CHECK(read.count() == 1);
    CHECK(test.document.questions().firstBatch() != nullptr);
    CHECK(test.document.questions().reader().isReading());
    test.answerView();
    CHECK(test.document.questions().reader().state() == QueryState::State::Ready);
    CHECK(test.document.questions().firstBatch() == nullptr);
}

TEST_CASE("the first batch stays when reading is stopped, and is not read again to go on")
{
    LargeTensor test;
    test.answerFirst();
    test.document.questions().stopReading();
    CHECK(test.document.questions().firstBatch() != nullptr);
    test.document.questions().readAgain();
    CHECK(test.document.questions().firstBatch() != nullptr);
    CHECK(test.waited.views.back().request.tensor.part.isWhole());
    CHECK(test.waited.views.size() == 2);  // the stopped one and the one that goes on
}

TEST_CASE("a first batch that nobody wants any more is cancelled")
{
    LargeTensor test;
    const quint64 first = test.waited.views.front().id;
    test.document.select(1);
    CHECK(test.waited.cancelled.contains(first));
    test.answerFirst();
    CHECK(test.document.questions().firstBatch() == nullptr);
    CHECK(test.waited.views.back().request.tensor.part.isWhole());
}

}  // namespace first_batch_test
