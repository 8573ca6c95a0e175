#include "ui/models/outcome_text.h"

#include "tests/support/catch.h"

using namespace calibscope;

TEST_CASE("a choice's note is told once, before its result and with it")
{
    OutcomeRow row;
    row.candidate.choice.note = "unknown role: treated as an activation";
    CHECK(noteLines(row) == QStringList{"unknown role: treated as an activation"});

    Outcome outcome;
    outcome.whole.notes = {"all zero", row.candidate.choice.note};
    outcome.whole.hasExactMetrics = true;
    row.outcome = outcome;
    CHECK(noteLines(row) == QStringList{"all zero", "unknown role: treated as an activation"});
}
