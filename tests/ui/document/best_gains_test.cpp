// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/best_gains.h"

#include "tests/support/catch.h"
#include "ui/document/decisions.h"
#include "ui/document/document.h"
#include "ui/document/tensor_diagnosis.h"
#include "ui/queries/engine_client.h"

#include <QTest>

namespace best_gains_test {

using namespace calibscope;
using namespace calibscope::test;

constexpr int patienceMs = 60000;

TEST_CASE("what gains most is compared with a decision, also where that is worse than the recipe's")
{
    EngineClient waited;
    EngineClient background;
    for (EngineClient* engine : {&waited, &background})
        engine->setProgram(CALIBSCOPE_PROGRAM_DIR "/calib");
    Document document{waited, background};
    document.open(CALIBSCOPE_SOURCE_DIR "/resources/sample/sample.h5",
                  {.tensor = "batch_norm_3.tmp_2"});
    REQUIRE(QTest::qWaitFor([&] { return document.isIdle(); }, patienceMs));
    // The recipe's percentile has 41.19 dB, the best 41.41, entropy 37.16.
    const std::vector<int> here{document.selected()};
    CHECK_FALSE(betterOn(document, here.front()));
    CHECK(bestGains(document, here).gains.empty());
    (void)acceptCandidate(document, here, "entropy");
    REQUIRE(QTest::qWaitFor([&] { return document.isIdle(); }, patienceMs));
    const std::vector<Gain> gains = bestGains(document, here).of(3.0);
    REQUIRE(gains.size() == 1);
    CHECK(gains.front().isReplaced);
    CHECK(gains.front().fromDb == Approx(37.16).margin(0.01));
    CHECK(gains.front().gainDb == Approx(41.41 - 37.16).margin(0.02));
}

}  // namespace best_gains_test
