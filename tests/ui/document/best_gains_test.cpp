// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/best_gains.h"

#include "tests/support/catch.h"
#include "tests/support/layer_samples.h"
#include "ui/document/decisions.h"
#include "ui/document/document.h"
#include "ui/document/tensor_diagnosis.h"
#include "ui/queries/engine_client.h"

#include <QTest>

#include <functional>

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
    CHECK(gains.front().replaced == 1);
    CHECK(gains.front().fromDb == Approx(37.16).margin(0.01));
    CHECK(gains.front().gainDb == Approx(41.41 - 37.16).margin(0.02));
}

/// Both layers' trials: y1 (20 dB) gains 6 dB by the second candidates of x1 and w1, y2 (10 dB) 4
/// dB by those of y1 and w2. With `change` they can be made others.
void tryAll(LayeredDocument& test, const std::function<void(LayerCandidates&)>& change = {})
{
    test.layers().startTrials();
    if (!test.background.layerLists.empty())
        test.list();
    for (int layer = 0; layer < 2; ++layer) {
        REQUIRE(test.background.layerTrials.size() == 1);
        const protocol::LayerTrialsRequest& asked = test.background.layerTrials.front().request;
        LayerCandidates found = layerTrials(asked);
        const bool isFirst = asked.layer.layer == "y1";
        found.decided.outputSqnrDb = isFirst ? 20.0 : 10.0;
        found.bestDifferenceDb = isFirst ? 6.0 : 4.0;
        if (change)
            change(found);
        FakeEngine::answer(test.background.layerTrials, found);
    }
    CHECK_FALSE(test.layers().isTrying());
}

TEST_CASE("the best pairs of layers are counted at their outputs, and accepted as one step")
{
    LayeredDocument test;
    CHECK(bestLayerGains(test.document).asked == 0);
    tryAll(test);
    const BestGains best = bestLayerGains(test.document);
    CHECK(best.asked == 2);  // y3 lacks its operands
    CHECK(best.unknown == 0);
    // (6 + 4) / 2 dB; the lowest of 20 and 10 dB, and of 26 and 14.
    CHECK(best.sentences(3.0) ==
          QStringList{"2 of 2 layers gain at least 3.0 dB at their output: 5.0 dB on average.",
                      "The lowest SQNR of these rises from 10.0 to 14.0 dB."});
    CHECK(best.sentences(5.0).front() ==
          "1 of 2 layers gain at least 5.0 dB at their output: 6.0 dB on average.");
    CHECK(best.sentences(7.0) == QStringList{"No layer gains 7.0 dB at its output."});
    const Accepted count = acceptGains(test.document, best, 3.0);
    CHECK(count.accepted == 4);  // x1, w1, y1, w2
    CHECK(decidedCount(test.document) == 4);
    CHECK(bestLayerGains(test.document).unknown == 2);  // what is decided is another: tried anew
    test.document.undo();
    CHECK(decidedCount(test.document) == 0);
}

TEST_CASE("what a layer wants of a tensor is left out where another layer that multiplies it loses")
{
    LayeredDocument test;
    test.layers().startTrials();
    protocol::LayerList list = layerList();
    list.layers[1].input = list.layers[0].input;  // y2 = x1 w2
    FakeEngine::answer(test.background.layerLists, list);
    tryAll(test, [&](LayerCandidates& found) {
        if (found.decided.layer != "y2")
            return;
        found.input = {{.candidate = "as decided", .label = "a", .isDecided = true}};
        found.bestInput = 0;
    });
    const BestGains best = bestLayerGains(test.document);
    REQUIRE(best.gains.size() == 2);
    CHECK(best.gains[0].isShared);  // y1's: y2 has no trial of its candidate for x1
    CHECK(best.sentences(3.0).front().startsWith("1 of 2 layers gain at least 3.0 dB"));
    CHECK(
        best.sentences(3.0).contains("1 more layer shares an operand that others need as it is."));
    CHECK(acceptGains(test.document, best, 3.0).accepted == 1);  // w2
}

}  // namespace best_gains_test
