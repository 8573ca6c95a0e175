// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/queries/study_reader.h"

#include "tests/support/layer_samples.h"
#include "tests/support/view_samples.h"

#include <QSignalSpy>

namespace queries_study_reader_test {

using namespace calibscope;
using namespace calibscope::test;

const TensorRef tensor{.file = "a.h5", .index = 3};

protocol::Studied answerTo(const protocol::StudyRequest& request)
{
    protocol::Studied studied;
    for (const Choice& choice : request.choices)
        studied.studies.push_back(unconvergedStudy(choice));
    return studied;
}

struct AskedReader
{
    FakeEngine engine;
    TensorQuestions questions{engine};
    StudyReader reader{questions};

    void answer() { FakeEngine::answer(engine.studies, answerTo(engine.studies.front().request)); }
};

TEST_CASE("what is known is not asked for again")
{
    AskedReader test;
    const QSignalSpy changed(&test.reader, &StudyReader::changed);
    test.reader.want(tensor, {choiceOf("min-max"), choiceOf("mse"), choiceOf("mse")});
    REQUIRE(test.engine.studies.size() == 1);
    CHECK(test.engine.studies.front().request.choices.size() == 2);
    CHECK(test.engine.studies.front().request.parts == StudyReader::parts);
    CHECK(test.reader.find(tensor, choiceOf("mse")).isPending);
    test.answer();
    CHECK(changed.count() == 1);
    CHECK(test.questions.isIdle());
    REQUIRE(test.reader.find(tensor, choiceOf("mse")).study);
    CHECK(test.reader.knows(tensor));
    test.reader.want(tensor, {choiceOf("mse"), choiceOf("percentile")});
    REQUIRE(test.engine.studies.size() == 1);
    CHECK(test.engine.studies.front().request.choices.size() == 1);
    test.answer();
    CHECK(test.reader.find(tensor, choiceOf("min-max")).study);
    CHECK(test.reader.find(tensor, choiceOf("percentile")).study);
}

TEST_CASE("what is known of fewer samples is found while it is asked for anew")
{
    AskedReader test;
    test.reader.want(tensor, {choiceOf("min-max"), choiceOf("mse")});
    test.answer();
    test.reader.outdate();
    CHECK_FALSE(test.reader.find(tensor, choiceOf("mse")).study);
    test.reader.want(tensor, {choiceOf("mse")});
    REQUIRE(test.engine.studies.size() == 1);
    CHECK(test.reader.find(tensor, choiceOf("mse")).isPending);
    CHECK(test.reader.find(tensor, choiceOf("mse")).study);
    test.answer();
    CHECK_FALSE(test.reader.find(tensor, choiceOf("mse")).isPending);
    CHECK_FALSE(test.reader.find(tensor, choiceOf("min-max")).study);
    test.reader.want(tensor, {choiceOf("mse")});
    CHECK(test.engine.studies.empty());
}

TEST_CASE("the same question goes on, another one takes its place")
{
    AskedReader test;
    test.reader.want(tensor, {choiceOf("min-max"), choiceOf("mse")});
    test.reader.want(tensor, {choiceOf("mse")});
    CHECK(test.engine.studies.size() == 1);
    const quint64 first = test.engine.studies.front().id;
    test.reader.want({.file = "a.h5", .index = 4}, {choiceOf("mse")});
    CHECK(test.engine.cancelled.contains(first));
    CHECK_FALSE(test.reader.find(tensor, choiceOf("mse")).isPending);
}

TEST_CASE("a failure is told and not asked for again at once")
{
    AskedReader test;
    test.reader.want(tensor, {choiceOf("mse")});
    FakeEngine::fail(test.engine.studies, "breaks off");
    CHECK(test.reader.find(tensor, choiceOf("mse")).problem == "breaks off");
    test.reader.want(tensor, {choiceOf("mse")});
    CHECK(test.engine.studies.empty());
    test.reader.want(tensor, {choiceOf("mse"), choiceOf("min-max")});
    CHECK(test.engine.studies.size() == 1);
}

TEST_CASE("an answer to another question is not a study")
{
    AskedReader test;
    test.reader.want(tensor, {choiceOf("mse")});
    FakeEngine::answer(test.engine.studies, protocol::Studied{});
    CHECK_FALSE(test.reader.find(tensor, choiceOf("mse")).study);
    CHECK_FALSE(test.reader.find(tensor, choiceOf("mse")).problem.isEmpty());
}

}  // namespace queries_study_reader_test
