// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/queries/tensor_questions.h"

#include "tests/support/catch.h"
#include "tests/support/fake_engine.h"

#include <QSignalSpy>

namespace tensor_questions_test {

using namespace calibscope;
using calibscope::test::FakeEngine;

TEST_CASE("a page's questions are settled when the last one is answered")
{
    FakeEngine engine;
    TensorQuestions questions(engine);
    const QSignalSpy settled(&questions, &TensorQuestions::idle);
    std::vector<std::string> heard;
    CHECK(questions.isIdle());
    const EngineRequest view =
        questions.ask(protocol::ViewRequest{.tensor = {.index = 3}},
                      [&](const Answer<protocol::TensorView>&) { heard.emplace_back("view"); });
    const EngineRequest strip = questions.ask(protocol::StripRequest{.tensor = {.index = 3}},
                                              [&](const Answer<protocol::Strip>& answer) {
                                                  heard.push_back(answer.failure.toStdString());
                                              });
    CHECK_FALSE(questions.isIdle());
    FakeEngine::answer(engine.views, protocol::TensorView{});
    CHECK(settled.isEmpty());
    FakeEngine::fail(engine.strips, "no such tensor");
    CHECK(heard == std::vector<std::string>{"view", "no such tensor"});
    CHECK(settled.size() == 1);
    CHECK(questions.isIdle());
}

TEST_CASE("a dropped question is cancelled, and its answer is not heard")
{
    FakeEngine engine;
    TensorQuestions questions(engine);
    const QSignalSpy settled(&questions, &TensorQuestions::idle);
    bool isHeard = false;
    EngineRequest question = questions.ask(protocol::StripRequest{},
                                           [&](const Answer<protocol::Strip>&) { isHeard = true; });
    question.drop();
    CHECK(engine.cancelled == std::set<quint64>{engine.strips.front().id});
    CHECK(questions.isIdle());
    CHECK(settled.size() == 1);
    FakeEngine::answer(engine.strips, Strip{});
    CHECK_FALSE(isHeard);
    question.drop();
    CHECK(settled.size() == 1);
}

TEST_CASE("an answer that comes when nobody asks any more is not heard")
{
    FakeEngine engine;
    bool isHeard = false;
    {
        TensorQuestions questions(engine);
        const EngineRequest asked = questions.ask(
            protocol::ViewRequest{}, [&](const Answer<protocol::TensorView>&) { isHeard = true; });
    }
    CHECK(engine.cancelled == std::set<quint64>{engine.views.front().id});
    FakeEngine::answer(engine.views, protocol::TensorView{});
    CHECK_FALSE(isHeard);
}

}  // namespace tensor_questions_test
