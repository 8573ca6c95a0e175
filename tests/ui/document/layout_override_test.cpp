#include "ui/document/document.h"

#include "tests/support/catch.h"
#include "tests/support/fake_engine.h"
#include "tests/support/tested_session.h"
#include "ui/document/edits.h"
#include "ui/document/previews.h"
#include "ui/document/questions.h"

#include <QSignalSpy>

using namespace calibscope;
using calibscope::test::FakeEngine;
using calibscope::test::viewFor;

namespace {

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

struct OpenSession
{
    OpenSession()
    {
        session.open("/somewhere/a.h5");
        FakeEngine::answer(waited.opens, someDump());
        session.select(a);
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
    Document session{waited, background};
};

}  // namespace

TEST_CASE("a tensor that is understood anew is read anew, as it is understood")
{
    OpenSession test;
    test.takePreviews();
    const QSignalSpy changes(&test.session, &Document::tensorsChanged);
    edits::understand(test.session, {a}, {.channelAxis = 2});
    REQUIRE(changes.count() == 1);
    CHECK(changes[0][0].value<std::vector<int>>() == std::vector<int>{a});
    CHECK_FALSE(changes[0][1].toBool());
    CHECK(test.session.selectedTensor()->channelAxis == 2);
    CHECK(test.session.questions().reader().view() == nullptr);  // not the former one
    REQUIRE(test.waited.views.size() == 1);
    CHECK(test.waited.views.front().request.tensor.layoutOverride.channelAxis == 2);
    test.answerView();
    REQUIRE(test.background.previews.size() == 1);
    CHECK(test.background.previews.front().request.tensor.index == a);
    CHECK(test.background.previews.front().request.tensor.layoutOverride.channelAxis == 2);
    test.takePreviews();
    CHECK(test.session.isIdle());
}

TEST_CASE("only what changed is glanced at again")
{
    OpenSession test;
    test.takePreviews();
    CHECK(test.session.previews().of(c));
    edits::understand(test.session, {b, c}, {.role = Role::Weight});
    CHECK(test.session.previews().of(a));
    CHECK_FALSE(test.session.previews().of(b));
    CHECK_FALSE(test.session.previews().of(c));
    CHECK(test.session.previews().left() == 2);
    CHECK(test.waited.views.empty());  // a is selected, and is as it was
}

TEST_CASE("going back to what the file says shows the view that was read before")
{
    OpenSession test;
    test.takePreviews();
    edits::understand(test.session, {a}, {.channelAxis = 2});
    test.answerView();
    edits::understand(test.session, {a}, {});
    CHECK(test.session.questions().reader().state() == ViewReader::State::Ready);
    CHECK(test.waited.views.empty());
    CHECK(test.session.selectedTensor()->isGuess);
}

TEST_CASE("a glance that was on its way is of the former understanding and is dropped")
{
    OpenSession test;
    REQUIRE(test.background.previews.front().request.tensor.index == a);
    const quint64 former = test.background.previews.front().id;
    edits::understand(test.session, {a}, {.batchSize = 4});
    CHECK(test.background.cancelled.contains(former));
    FakeEngine::answer(test.background.previews, protocol::Preview{.sqnrDb = 1.0});
    CHECK_FALSE(test.session.previews().of(a));
}

TEST_CASE("a view that is read in advance is kept for the understanding it was asked with")
{
    OpenSession test;
    test.takePreviews();
    test.session.questions().expect({b});
    REQUIRE(test.background.views.size() == 1);
    const quint64 former = test.background.views.front().id;
    edits::understand(test.session, {b}, {.channelAxis = 2});
    CHECK(test.background.cancelled.contains(former));
    FakeEngine::answer(test.background.views, protocol::TensorView{});
    test.takePreviews();
    test.session.select(b);
    CHECK(test.session.questions().reader().state() == ViewReader::State::Reading);
}

TEST_CASE("confirming a guess reads nothing")
{
    OpenSession test;
    test.takePreviews();
    const QSignalSpy changes(&test.session, &Document::tensorsChanged);
    edits::confirm(test.session, {a, b});
    REQUIRE(changes.count() == 1);
    CHECK(changes[0][1].toBool());
    CHECK_FALSE(test.session.selectedTensor()->isGuess);
    CHECK(test.session.questions().reader().view());
    CHECK(test.waited.views.empty());
    CHECK(test.session.isIdle());
}

TEST_CASE("what was said survives a reload, another file forgets it")
{
    OpenSession test;
    edits::understand(test.session, {b}, {.channelAxis = 2});
    test.session.reload();
    FakeEngine::answer(test.waited.opens, someDump());
    CHECK(test.session.tensors()[b].channelAxis == 2);
    CHECK(test.session.selected() == a);
    test.session.open("/somewhere/b.h5");
    FakeEngine::answer(test.waited.opens, someDump());
    CHECK(test.session.tensors()[b].channelAxis == 1);
    CHECK(test.session.understood().edited().empty());
}

TEST_CASE("a tensor that can't be read as it is now understood is not asked for")
{
    FakeEngine waited;
    FakeEngine background;
    Document session{waited, background};
    TensorInfo opaque = guessed("o");
    opaque.storedType = "opaque";
    opaque.otherTypes = {ElementKind::Bfloat16};
    opaque.unreadable = "opaque elements of 2 bytes";
    session.open("/o.h5");
    FakeEngine::answer(waited.opens, protocol::DumpOpened{.tensors = {opaque}});
    session.select(0);
    CHECK(waited.views.empty());
    CHECK(session.isIdle());
    edits::understand(session, {0}, {.elementType = ElementKind::Bfloat16});
    REQUIRE(waited.views.size() == 1);
    CHECK(waited.views.front().request.tensor.layoutOverride.elementType == ElementKind::Bfloat16);
    edits::understand(session, {0}, {});
    CHECK(session.questions().reader().state() == ViewReader::State::Idle);
    CHECK(session.previews().left() == 0);
}

TEST_CASE("other files are read only after the user said so, and then by every request")
{
    OpenSession test;
    CHECK_FALSE(test.session.allowsExternal());
    test.session.reloadWithExternal();
    CHECK(test.waited.opens.front().request.allowExternal);
    FakeEngine::answer(test.waited.opens, someDump());
    CHECK(test.waited.views.back().request.tensor.allowExternal);
    test.answerView();
    CHECK(test.background.previews.back().request.tensor.allowExternal);
    test.session.reload();
    CHECK(test.waited.opens.front().request.allowExternal);
    test.session.open("/somewhere/a.h5");
    CHECK_FALSE(test.waited.opens.back().request.allowExternal);
}
