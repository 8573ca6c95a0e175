#include "ui/queries/explain_reader.h"

#include "tests/support/catch.h"
#include "tests/support/view_samples.h"

#include <QSignalSpy>

namespace explain_reader_test {

using namespace calibscope;
using namespace calibscope::test;

struct TestedReader
{
    FakeEngine engine;
    ExplainReader reader{engine};
    protocol::ViewRequest tensor{.tensor = {.file = "/a.h5", .index = 2, .part = {.batches = 3}},
                                 .histograms = {{.domain = Domain::Signed}},
                                 .choices = {choiceOf("l2")}};
    Choice from = choiceOf("percentile", {{"alpha", "99.9"}});
    Choice to = choiceOf("min-max");
};

TEST_CASE("the way from one choice to the other is one request of its steps")
{
    TestedReader test;
    const QSignalSpy changes(&test.reader, &ExplainReader::changed);
    test.reader.explain(test.tensor, test.from, test.to);
    CHECK(test.reader.state() == ExplainReader::State::Reading);
    const std::vector<ChoiceStep> steps = stepsBetween(test.from, test.to);
    REQUIRE(test.reader.rows().size() == steps.size());
    CHECK(test.reader.rows().back().step.name == steps.back().name);
    CHECK_FALSE(test.reader.rows().front().outcome);
    REQUIRE(test.engine.views.size() == 1);
    const protocol::ViewRequest& asked = test.engine.views.front().request;
    REQUIRE(asked.choices.size() == steps.size());
    for (std::size_t step = 0; step < steps.size(); ++step)
        CHECK(asked.choices[step].isSameComputation(steps[step].choice));
    CHECK(asked.tensor.index == 2);
    CHECK(asked.tensor.part.batches == 3);
    CHECK(asked.histograms.empty());
    FakeEngine::answer(test.engine.views, viewFor(asked));
    CHECK(test.reader.state() == ExplainReader::State::Ready);
    CHECK(test.reader.rows().front().outcome->whole.metric("sqnr_db") == 10.0);
    CHECK(test.reader.rows().back().hasResult());
    CHECK(changes.count() == 2);
}

TEST_CASE("the latest question wins")
{
    TestedReader test;
    test.reader.explain(test.tensor, test.from, test.to);
    const quint64 former = test.engine.views.front().id;
    test.reader.explain(test.tensor, test.to, choiceOf("entropy"));
    CHECK(test.engine.cancelled.contains(former));
    FakeEngine::answer(test.engine.views, viewFor(test.engine.views.front().request));
    CHECK(test.reader.state() == ExplainReader::State::Reading);
    CHECK_FALSE(test.reader.rows().front().outcome);
    FakeEngine::answer(test.engine.views, viewFor(test.engine.views.front().request));
    CHECK(test.reader.state() == ExplainReader::State::Ready);
    CHECK(test.reader.rows().back().step.choice.calibrator == "entropy");
}

TEST_CASE("a way that can't be computed says why, and can be cleared")
{
    TestedReader test;
    test.reader.explain(test.tensor, test.from, test.to);
    FakeEngine::fail(test.engine.views, "the engine ended");
    CHECK(test.reader.state() == ExplainReader::State::Failed);
    CHECK(test.reader.problem() == "the engine ended");
    test.reader.clear();
    CHECK(test.reader.state() == ExplainReader::State::Idle);
    CHECK(test.reader.rows().empty());
    CHECK(test.reader.problem().isEmpty());
}

TEST_CASE("changes are of the row before, where both have numbers")
{
    const auto rowOf = [](double scale, double sqnrDb) {
        ExplainRow row{.step = {}, .outcome = Outcome{}};
        row.outcome->whole.quantizer.scale = scale;
        row.outcome->whole.metrics = {{"sqnr_db", sqnrDb}};
        return row;
    };
    CHECK(scaleChange(rowOf(0.5, 20.0), rowOf(0.25, 22.5)) == 2.0);
    CHECK(sqnrChange(rowOf(0.5, 20.0), rowOf(0.25, 22.5)) == -2.5);
    CHECK_FALSE(scaleChange(rowOf(0.5, 20.0), rowOf(0.0, 20.0)));
    CHECK_FALSE(sqnrChange(rowOf(0.5, 20.0), rowOf(0.5, std::numeric_limits<double>::infinity())));
    ExplainRow failed = rowOf(0.5, 20.0);
    failed.outcome->problem = "failed";
    CHECK_FALSE(scaleChange(failed, rowOf(0.5, 20.0)));
    CHECK_FALSE(sqnrChange(rowOf(0.5, 20.0), {}));
}

}  // namespace explain_reader_test
