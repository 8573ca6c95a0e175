// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/document.h"

#include "tests/support/catch.h"
#include "tests/support/fake_engine.h"
#include "tests/support/tested_document.h"
#include "ui/document/edits.h"
#include "ui/document/previews.h"
#include "ui/document/questions.h"

#include <QSignalSpy>

namespace document_layout_override_test {

using namespace calibscope;
using calibscope::test::FakeEngine;
using calibscope::test::viewFor;

TensorInfo guessed(const std::string& name)
{
    return {.name = name,
            .path = "/" + name,
            .role = Role::Activation,
            .elementType = ElementKind::Float32,
            .shape = {8, 3, 4},
            .batchAxis = 0,
            .channelAxis = 1,
            .layoutRule = "shapes",
            .isGuess = true};
}

protocol::DumpOpened someDump()
{
    return {.tensors = {guessed("a"), guessed("b"), guessed("c")}};
}

constexpr int a = 0;
constexpr int b = 1;
constexpr int c = 2;

struct OpenedDocument
{
    OpenedDocument()
    {
        document.open("/somewhere/a.h5");
        FakeEngine::answer(waited.opens, someDump());
        document.select(a);
        answerView();
    }
    void answerView() { FakeEngine::answer(waited.views, viewFor(waited.views.front().request)); }
    void takePreviews()
    {
        while (!background.previews.empty())
            FakeEngine::answer(background.previews, protocol::Preview{});
    }

    FakeEngine waited;
    FakeEngine background;
    Document document{waited, background};
};

TEST_CASE("a tensor that is understood anew is read anew, as it is understood")
{
    OpenedDocument test;
    test.takePreviews();
    const QSignalSpy changes(&test.document, &Document::tensorsChanged);
    edits::understand(test.document, {a}, {.channelAxis = 2});
    REQUIRE(changes.count() == 1);
    CHECK(changes[0][0].value<std::vector<int>>() == std::vector<int>{a});
    CHECK(changes[0][1].value<TensorValues>() == TensorValues::Other);
    CHECK(test.document.selectedTensor()->channelAxis == 2);
    CHECK(test.document.questions().reader().result() == nullptr);  // not the former one
    REQUIRE(test.waited.views.size() == 1);
    CHECK(test.waited.views.front().request.tensor.layoutOverride.channelAxis == 2);
    test.answerView();
    REQUIRE(test.background.previews.size() == 1);
    CHECK(test.background.previews.front().request.tensor.index == a);
    CHECK(test.background.previews.front().request.tensor.layoutOverride.channelAxis == 2);
    test.takePreviews();
    CHECK(test.document.isIdle());
}

TEST_CASE("only what changed is glanced at again")
{
    OpenedDocument test;
    test.takePreviews();
    CHECK(test.document.previews().of(c));
    edits::understand(test.document, {b, c}, {.role = Role::Weight});
    CHECK(test.document.previews().of(a));
    CHECK_FALSE(test.document.previews().of(b));
    CHECK_FALSE(test.document.previews().of(c));
    CHECK(test.document.previews().left() == 2);
    CHECK(test.waited.views.empty());  // a is selected, and is as it was
}

TEST_CASE("going back to what the file says shows the view that was read before")
{
    OpenedDocument test;
    test.takePreviews();
    edits::understand(test.document, {a}, {.channelAxis = 2});
    test.answerView();
    edits::understand(test.document, {a}, {});
    CHECK(test.document.questions().reader().state() == QueryState::State::Ready);
    CHECK(test.waited.views.empty());
    CHECK(test.document.selectedTensor()->isGuess);
}

TEST_CASE("a glance that was on its way is of the former understanding and is dropped")
{
    OpenedDocument test;
    REQUIRE(test.background.previews.front().request.tensor.index == a);
    const quint64 former = test.background.previews.front().id;
    edits::understand(test.document, {a}, {.batchSize = 4});
    CHECK(test.background.cancelled.contains(former));
    FakeEngine::answer(test.background.previews, protocol::Preview{.sqnrDb = 1.0});
    CHECK_FALSE(test.document.previews().of(a));
}

TEST_CASE("a view that is read in advance is kept for the understanding it was asked with")
{
    OpenedDocument test;
    test.takePreviews();
    test.document.questions().expect({b});
    REQUIRE(test.background.views.size() == 1);
    const quint64 former = test.background.views.front().id;
    edits::understand(test.document, {b}, {.channelAxis = 2});
    CHECK(test.background.cancelled.contains(former));
    FakeEngine::answer(test.background.views, protocol::TensorView{});
    test.takePreviews();
    test.document.select(b);
    CHECK(test.document.questions().reader().isReading());
}

TEST_CASE("confirming a guess reads nothing")
{
    OpenedDocument test;
    test.takePreviews();
    const QSignalSpy changes(&test.document, &Document::tensorsChanged);
    edits::confirm(test.document, {a, b});
    REQUIRE(changes.count() == 1);
    CHECK(changes[0][1].value<TensorValues>() == TensorValues::Same);
    CHECK_FALSE(test.document.selectedTensor()->isGuess);
    CHECK(test.document.questions().reader().result());
    CHECK(test.waited.views.empty());
    CHECK(test.document.isIdle());
}

TEST_CASE("what was said survives a reload, another file forgets it")
{
    OpenedDocument test;
    edits::understand(test.document, {b}, {.channelAxis = 2});
    test.document.reload();
    FakeEngine::answer(test.waited.opens, someDump());
    CHECK(test.document.tensors()[b].channelAxis == 2);
    CHECK(test.document.selected() == a);
    test.document.open("/somewhere/b.h5");
    FakeEngine::answer(test.waited.opens, someDump());
    CHECK(test.document.tensors()[b].channelAxis == 1);
    CHECK(test.document.understood().edited().empty());
}

TEST_CASE("a tensor that can't be read as it is now understood is not asked for")
{
    FakeEngine waited;
    FakeEngine background;
    Document document{waited, background};
    TensorInfo opaque = guessed("o");
    opaque.storedType = "opaque";
    opaque.otherTypes = {ElementKind::Bfloat16};
    opaque.unreadable = "opaque elements of 2 bytes";
    document.open("/o.h5");
    FakeEngine::answer(waited.opens, protocol::DumpOpened{.tensors = {opaque}});
    document.select(0);
    CHECK(waited.views.empty());
    CHECK(document.isIdle());
    edits::understand(document, {0}, {.elementType = ElementKind::Bfloat16});
    REQUIRE(waited.views.size() == 1);
    CHECK(waited.views.front().request.tensor.layoutOverride.elementType == ElementKind::Bfloat16);
    edits::understand(document, {0}, {});
    CHECK(document.questions().reader().state() == QueryState::State::Idle);
    CHECK(document.previews().left() == 0);
}

TEST_CASE("other files are read only after the user said so, and then by every request")
{
    OpenedDocument test;
    CHECK_FALSE(test.document.allowsExternal());
    test.document.reloadWithExternal();
    CHECK(test.waited.opens.front().request.allowExternal);
    FakeEngine::answer(test.waited.opens, someDump());
    CHECK(test.waited.views.back().request.tensor.allowExternal);
    test.answerView();
    CHECK(test.background.previews.back().request.tensor.allowExternal);
    test.document.reload();
    CHECK(test.waited.opens.front().request.allowExternal);
    test.document.open("/somewhere/a.h5");
    CHECK_FALSE(test.waited.opens.back().request.allowExternal);
}

}  // namespace document_layout_override_test
