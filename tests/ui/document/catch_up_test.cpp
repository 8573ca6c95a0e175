// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/tested_document.h"
#include "ui/document/document.h"
#include "ui/document/questions.h"

#include <QSignalSpy>

#include <algorithm>
#include <cstddef>

namespace catch_up_test {

using namespace calibscope;
using namespace calibscope::test;

namespace {

/// What each engine finds when it is asked to open a dump again.
void answerOpens(TestedDocument& test, const protocol::DumpOpened& dump)
{
    FakeEngine::answer(test.waited.opens, dump);
    FakeEngine::answer(test.background.opens, dump);
}

/// A dump that is shown, one tensor of which has grown since.
struct GrownDump : TestedDocument
{
    protocol::DumpOpened grown = someDump();

    explicit GrownDump(std::size_t tensor)
    {
        openDump();
        answerView();
        grown.isGrowing = true;
        grown.tensors[tensor].shape = {12, 4};
    }
    QSignalSpy caughtUp{&document, &Document::caughtUp};
};

}  // namespace

TEST_CASE("a dump that grew is shown as it was until there is something else")
{
    TestedDocument test;
    test.openDump();
    test.answerView();
    QSignalSpy caughtUp(&test.document, &Document::caughtUp);
    const QSignalSpy states(&test.document, &Document::dumpChanged);
    const auto former = test.document.questions().reader().shared();
    protocol::DumpOpened grown = someDump();
    grown.isGrowing = true;
    grown.tensors[a].shape = {12, 4};

    test.document.catchUp();
    test.document.catchUp();  // one at a time
    REQUIRE(test.waited.opens.size() == 1);
    FakeEngine::fail(test.waited.opens, "half written");
    CHECK(caughtUp.takeLast() == QVariantList{false});
    test.document.catchUp();
    answerOpens(test, grown);
    REQUIRE(test.waited.views.size() == 1);
    FakeEngine::fail(test.waited.views, "half written");
    CHECK(caughtUp.takeLast() == QVariantList{false});
    CHECK(test.document.questions().reader().shared() == former);
    CHECK(test.document.tensors()[a].shape.front() == 8);

    test.document.catchUp();
    answerOpens(test, grown);
    CHECK_FALSE(test.document.isIdle());
    CHECK(test.document.questions().reader().shared() == former);
    test.answerView();
    CHECK(caughtUp.takeLast() == QVariantList{true});
    CHECK(test.document.tensors()[a].shape.front() == 12);
    CHECK(test.document.questions().reader().state() == QueryState::State::Ready);
    CHECK(test.document.questions().reader().shared() != former);
    CHECK(test.waited.views.empty());
    CHECK(states.isEmpty());

    grown.tensors.insert(grown.tensors.begin(), TensorInfo{.name = "first", .path = "/first"});
    test.document.catchUp();
    answerOpens(test, grown);
    CHECK(caughtUp.takeLast() == QVariantList{true});
    CHECK(test.document.selectedTensor()->name == "a");
    CHECK(states.count() == 1);

    // Another recording of the same name: what has the same shape has other values.
    grown.attributes["created"] = "2026-11-29T00:00:00+00:00";
    test.document.catchUp();
    answerOpens(test, grown);
    CHECK(states.count() == 2);
    grown.file = "device 1, inode 2";
    test.document.catchUp();
    answerOpens(test, grown);
    CHECK(states.count() == 3);
    grown.tensors[a + 1].shape = {4, 4};
    test.document.catchUp();
    answerOpens(test, grown);
    CHECK(states.count() == 4);
}

TEST_CASE("a tensor that can't be read for good does not hold up the others")
{
    GrownDump test(a);
    int asked = 0;
    do {
        test.document.catchUp();
        answerOpens(test, test.grown);
        FakeEngine::fail(test.waited.views, "damaged");
        ++asked;
    } while (test.caughtUp.takeLast() == QVariantList{false} && asked < 10);
    CHECK(asked == 5);
    CHECK(test.document.tensors()[a].shape.front() == 12);
}

TEST_CASE("what is shown of a tensor that did not grow stays")
{
    TestedDocument test;
    test.openDump();
    test.answerView();
    const std::size_t rows = test.document.questions().rows().size();
    REQUIRE(rows > 0);
    const auto known = [&] {
        return std::ranges::count_if(test.document.questions().rows(),
                                     [](const OutcomeRow& row) { return row.hasResult(); });
    };
    const auto before = known();
    REQUIRE(before > 0);
    protocol::DumpOpened grown = someDump();
    grown.isGrowing = true;
    grown.tensors[b].shape.front() += 4;
    test.document.catchUp();
    answerOpens(test, grown);
    test.answerView();
    CHECK(test.document.questions().rows().size() == rows);
    CHECK(known() == before);
}

TEST_CASE("a dump that another engine can't open in passing is caught up with later")
{
    GrownDump test(b);
    const auto failInBackground = [&] {
        test.document.catchUp();
        FakeEngine::answer(test.waited.opens, test.grown);
        FakeEngine::fail(test.background.opens, "half written");
    };
    failInBackground();
    CHECK(test.caughtUp.takeLast() == QVariantList{false});
    CHECK(test.document.tensors()[b].shape.front() == 8);
    test.document.catchUp();
    answerOpens(test, test.grown);
    test.answerView();
    CHECK(test.caughtUp.takeLast() == QVariantList{true});
    CHECK(test.document.tensors()[b].shape.front() == 12);

    // Another list, too; and not for ever.
    test.grown.tensors.insert(test.grown.tensors.begin(),
                              TensorInfo{.name = "first", .path = "/first"});
    int asked = 0;
    do {
        failInBackground();
        ++asked;
    } while (test.caughtUp.takeLast() == QVariantList{false} && asked < 10);
    CHECK(asked == 5);
    CHECK(test.document.tensors().front().name == "first");
}

TEST_CASE("a sweep begins again where another tensor is recorded")
{
    TestedDocument test;
    test.openDump();
    test.answerView();
    test.document.questions().startMatrix(true);
    test.document.questions().matrix().stop();
    protocol::DumpOpened other = someDump();
    other.tensors.insert(other.tensors.begin(), TensorInfo{.name = "first", .path = "/first"});
    test.document.catchUp();
    answerOpens(test, other);
    CHECK_FALSE(test.document.questions().sweep());  // it was stopped
    test.document.questions().startMatrix(true);
    other.tensors.insert(other.tensors.begin(), TensorInfo{.name = "zeroth", .path = "/zeroth"});
    test.document.catchUp();
    answerOpens(test, other);
    CHECK(test.document.questions().sweep() == true);
}

}  // namespace catch_up_test
