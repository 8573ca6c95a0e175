// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/layer_reader.h"

#include "tests/support/layer_samples.h"
#include "ui/document/decisions.h"

#include <QSignalSpy>

namespace layer_reader_test {

using namespace calibscope;
using namespace calibscope::test;

TEST_CASE("nothing is asked before somebody looks, then the list, then layer by layer")
{
    LayeredDocument test;
    CHECK(test.background.layerLists.empty());
    test.layers().start();
    REQUIRE(test.background.layerLists.size() == 1);
    CHECK(test.background.layerLists.front().request.path == "/somewhere/layers.h5");
    CHECK(test.layers().isListing());
    test.list();
    CHECK_FALSE(test.layers().isListing());
    REQUIRE(test.layers().rows().size() == 3);
    CHECK(test.layers().computable() == 2);
    CHECK(test.layers().rows()[0].input == 0);
    CHECK(test.layers().rows()[0].weight == 1);
    CHECK(test.layers().rows()[0].output == 2);
    CHECK(test.layers().rows()[2].reason() == "input `gone` is not in the dump");
    CHECK(test.background.layers.size() == 1);  // one at a time
}

TEST_CASE("all layers are computed roughly before one is refined")
{
    LayeredDocument test;
    test.layers().start();
    test.list();
    std::vector<std::pair<std::string, std::uint64_t>> asked;
    while (!test.background.layers.empty()) {
        const protocol::LayerRequest& request = test.background.layers.front().request;
        asked.emplace_back(request.layer, request.positions);
        CHECK(request.seed == LayerReader::seed);
        test.answerLayer(25.0);
    }
    CHECK(asked == std::vector<std::pair<std::string, std::uint64_t>>{
                       {"y1", 256}, {"y2", 256}, {"y1", 4096}, {"y2", 4096}});
    CHECK(test.layers().isIdle());
    CHECK(test.layers().computed() == 2);
    CHECK(test.layers().refined() == 2);
    CHECK(test.layers().rows()[0].found.intervalDb == 0.25);
}

TEST_CASE("a layer that is wanted comes first, and one from all positions next")
{
    LayeredDocument test;
    test.layers().start();
    test.list();
    test.layers().prefer(1);
    test.answerLayer(25.0);
    CHECK(test.background.layers.front().request.layer == "y2");
    CHECK(test.background.layers.front().request.positions == 256);
    test.layers().computeExactly(0);
    test.answerLayer(25.0);
    CHECK(test.background.layers.front().request.layer == "y1");
    CHECK(test.background.layers.front().request.positions == 0);
    test.answerLayer(24.0);
    CHECK(test.layers().rows()[0].isExact);
    test.answerLayer(25.0);         // y2 refined
    CHECK(test.layers().isIdle());  // y1 is not asked for again
}

TEST_CASE("few positions are exact at once")
{
    LayeredDocument test;
    test.layers().start();
    test.list();
    LayerResult all = layerAnswer(test.background.layers.front().request, 25.0);
    all.of = all.positions = 200;
    all.intervalDb.reset();
    FakeEngine::answer(test.background.layers, all);
    CHECK(test.layers().rows()[0].isExact);
    test.answerLayer(25.0);
    REQUIRE(test.background.layers.size() == 1);
    CHECK(test.background.layers.front().request.layer == "y2");  // refined; y1 needs it not
}

TEST_CASE("operands are quantized by what was accepted, else as the recipe chooses")
{
    LayeredDocument test;
    test.layers().start();
    test.list();
    const auto choicesNow = [&] { return test.layers().rows()[0].choices; };
    REQUIRE(choicesNow().size() == 2);
    CHECK(choicesNow()[0].path == "/x1");
    CHECK(choicesNow()[0].choice.calibrator == "percentile");
    CHECK(choicesNow()[1].path == "/w1");
    CHECK(choicesNow()[1].choice.calibrator == "min-max");
    test.answerAll();
    CHECK(test.layers().isIdle());
    (void)acceptCandidate(test.document, {0}, "min-max");
    CHECK(choicesNow()[0].choice.calibrator == "min-max");
    CHECK_FALSE(test.layers().rows()[0].hasNumbers());
    CHECK(test.layers().rows()[1].hasNumbers());  // its operands are as they were
    REQUIRE(test.background.layers.size() == 1);
    CHECK(test.background.layers.front().request.layer == "y1");
    test.answerAll();
    test.document.undo();
    CHECK(choicesNow()[0].choice.calibrator == "percentile");
}

TEST_CASE("a decision on what was only moved holds for the operand")
{
    LayeredDocument test;
    protocol::DumpOpened dump = layeredDump();
    dump.tensors[0].op = "Reshape";
    dump.tensors[0].inputs = {"source"};
    dump.tensors.push_back({.name = "source",
                            .path = "/source",
                            .role = Role::Activation,
                            .shape = {8, 4},
                            .op = "Relu"});
    test.document.open("/somewhere/moved.h5");
    FakeEngine::answer(test.waited.opens, dump);
    (void)acceptCandidate(test.document, {6}, "min-max");
    test.layers().start();
    test.list();
    CHECK(test.layers().rows()[0].choices[0].path == "/source");
}

TEST_CASE("a request at work is dropped when its layer is decided otherwise")
{
    LayeredDocument test;
    test.layers().start();
    test.list();
    const quint64 first = test.background.layers.front().id;
    (void)acceptCandidate(test.document, {0}, "min-max");
    CHECK(test.background.cancelled.contains(first));
    CHECK(test.background.layers.back().request.layer == "y1");
}

TEST_CASE("what fails is told in its row, and the others go on")
{
    LayeredDocument test;
    test.layers().start();
    test.list();
    FakeEngine::fail(test.background.layers, "breaks off");
    CHECK(test.layers().rows()[0].reason() == "breaks off");
    CHECK(test.background.layers.front().request.layer == "y2");
    test.answerAll();
    CHECK(test.layers().isIdle());
    CHECK(test.layers().computed() == 1);
}

TEST_CASE("without a list the reason is told, and nothing waits")
{
    LayeredDocument test;
    test.layers().start();
    FakeEngine::fail(test.background.layerLists, "cannot be read");
    CHECK(test.layers().problem() == "cannot be read");
    CHECK_FALSE(test.layers().isListing());
    CHECK(test.layers().isIdle());
}

TEST_CASE("an operand's rank is the least over its layers, it alone quantized")
{
    LayeredDocument test;
    test.layers().start();
    test.list();
    CHECK_FALSE(test.layers().atOutputs(0));
    test.answerAll();
    CHECK(test.layers().atOutputs(0) == 31.0);
    CHECK(test.layers().atOutputs(1) == 36.0);
    CHECK(test.layers().atOutputs(2) == 21.0);  // y1, the input of y2
    CHECK_FALSE(test.layers().atOutputs(4));    // of no layer an operand
}

TEST_CASE("another dump forgets all, and waits to be looked at")
{
    LayeredDocument test;
    test.layers().start();
    test.list();
    const quint64 first = test.background.layers.front().id;
    const QSignalSpy listed(&test.layers(), &LayerReader::listed);
    test.document.open("/somewhere/b.h5");
    CHECK(test.background.cancelled.contains(first));
    CHECK(listed.count() == 1);
    CHECK(test.layers().rows().empty());
    CHECK_FALSE(test.layers().isStarted());
}

}  // namespace layer_reader_test
