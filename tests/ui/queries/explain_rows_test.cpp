// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/queries/explain_rows.h"

#include "tests/support/catch.h"
#include "tests/support/view_samples.h"

namespace explain_rows_test {

using namespace calibscope;
using namespace calibscope::test;

TEST_CASE("rows are the steps from one choice to the other, with the outcomes of their view")
{
    const Choice from = choiceOf("percentile", {{"alpha", "99.9"}});
    const Choice to = choiceOf("min-max");
    const std::vector<ChoiceStep> steps = stepsBetween(from, to);
    std::vector<ExplainRow> rows = explainRowsBetween(from, to);
    REQUIRE(rows.size() == steps.size());
    protocol::ViewRequest request;
    for (std::size_t step = 0; step < steps.size(); ++step) {
        CHECK(rows[step].step.choice.isSameComputation(steps[step].choice));
        CHECK_FALSE(rows[step].outcome);
        request.choices.push_back(rows[step].step.choice);
    }
    takeOutcomes(rows, viewFor(request));
    CHECK(rows.front().outcome->whole.metric("sqnr_db") == 10.0);
    CHECK(rows.back().hasResult());
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

}  // namespace explain_rows_test
