// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/document.h"

#include "tests/support/file_bytes.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/tested_document.h"
#include "ui/document/edits.h"
#include "ui/document/previews.h"
#include "ui/document/questions.h"
#include "ui/queries/engine_client.h"

#include <QSignalSpy>
#include <QTest>

namespace document_test {

using namespace calibscope;
using namespace calibscope::test;

TEST_CASE("opening a dump shows it as a whole: nothing is selected")
{
    TestedDocument test;
    test.document.open("/somewhere/a.h5");
    CHECK(test.document.dumpState() == Document::DumpState::Opening);
    CHECK_FALSE(test.document.isIdle());
    CHECK(test.waited.opens.front().request.path == "/somewhere/a.h5");
    CHECK_FALSE(test.waited.opens.front().request.allowExternal);
    FakeEngine::answer(test.waited.opens, someDump());
    CHECK(test.document.dumpState() == Document::DumpState::Open);
    CHECK(test.document.tensors().size() == 4);
    CHECK(test.document.selected() == -1);
    CHECK(test.document.selectedTensor() == nullptr);
    CHECK(test.waited.views.empty());
}

TEST_CASE("a dump can be opened at one of its tensors")
{
    TestedDocument test;
    test.document.open("/somewhere/a.h5", {.tensor = "b"});
    const QSignalSpy selections(&test.document, &Document::selectionChanged);
    FakeEngine::answer(test.waited.opens, someDump());
    CHECK(test.document.selected() == b);
    CHECK(selections.count() == 1);
    REQUIRE(test.waited.views.size() == 1);
    CHECK(test.waited.views.front().request.tensor.index == b);
    test.document.open("/somewhere/a.h5", {.tensor = "none such"});
    FakeEngine::answer(test.waited.opens, someDump());
    CHECK(test.document.selected() == -1);
    CHECK(test.document.dump().warnings.front() == "there is no tensor none such");
}

TEST_CASE("a file that can't be opened is told, and can be tried again")
{
    TestedDocument test;
    test.document.open("/a.h5");
    FakeEngine::fail(test.waited.opens, "a.h5: is not an HDF5 file");
    CHECK(test.document.dumpState() == Document::DumpState::Failed);
    CHECK(test.document.dumpProblem() == "a.h5: is not an HDF5 file");
    test.document.questions().readAgain();
    FakeEngine::answer(test.waited.opens, someDump());
    CHECK(test.document.dumpState() == Document::DumpState::Open);
}

TEST_CASE("a dump that is opened while another one is opening wins")
{
    TestedDocument test;
    test.document.open("/a.h5");
    test.document.open("/b.h5");
    CHECK(test.waited.cancelled.size() == 1);
    FakeEngine::answer(test.waited.opens, someDump());  // of a.h5
    CHECK(test.document.dumpState() == Document::DumpState::Opening);
    CHECK(test.document.path() == "/b.h5");
}

TEST_CASE("an unreadable tensor can be selected and is not read")
{
    TestedDocument test;
    test.openDump();
    test.document.select(odd);
    CHECK(test.document.selectedTensor()->unreadable == "no plugin");
    CHECK(test.document.questions().reader().state() == QueryState::State::Idle);
    CHECK(test.waited.views.size() == 1);  // that of the first tensor, cancelled
}

TEST_CASE("outcomes wait for their view, and the chosen recipe's are known")
{
    TestedDocument test;
    edits::chooseRecipe(test.document, "rebellions-vision");
    test.openDump();
    CHECK_FALSE(test.row("percentile").outcome);
    test.answerView();
    CHECK(test.row("percentile").hasResult());
    CHECK(test.row("percentile").isChosenRecipes);
    CHECK_FALSE(test.row("entropy").isChosenRecipes);
    CHECK(test.row("entropy").recipeTitles.contains("Moffett, CNN"));
}

TEST_CASE("a tick holds for the calibrator on every tensor")
{
    TestedDocument test;
    test.openDump();
    CHECK(test.row("min-max").isTicked);
    CHECK_FALSE(test.row("fixed").isTicked);
    ToldChanges told(test.document);
    edits::setTicked(test.document, "min-max", false);
    edits::setTicked(test.document, "fixed", true);
    CHECK(told.of(DocumentChange::Ticks) == 2);
    test.document.select(b);
    CHECK_FALSE(test.row("min-max").isTicked);
    CHECK(test.row("fixed").isTicked);
}

TEST_CASE("the chosen recipe's choice is ticked unless the user unticked it")
{
    TestedDocument test;
    edits::chooseRecipe(test.document, "nvidia-fractional");
    test.openDump();
    const std::string fractional = test.idOf("min-max 0.999");
    CHECK(test.row(fractional).isTicked);
    edits::chooseRecipe(test.document, "rebellions-vision");
    CHECK_FALSE(test.row(fractional).isTicked);
    edits::chooseRecipe(test.document, "nvidia-fractional");
    edits::setTicked(test.document, fractional, false);
    CHECK_FALSE(test.row(fractional).isTicked);
}

TEST_CASE("every readable tensor is glanced at under the chosen recipe, not while the user waits")
{
    TestedDocument test;
    test.openDump();
    REQUIRE(test.background.previews.size() == 1);  // while there was only the summary to look at
    std::vector<std::uint64_t> seen = {test.background.previews.front().request.tensor.index};
    FakeEngine::answer(test.background.previews, protocol::Preview{});
    CHECK(test.background.previews.empty());
    test.answerView();
    while (!test.background.previews.empty()) {
        const protocol::PreviewRequest& request = test.background.previews.front().request;
        REQUIRE(request.choice);
        CHECK(request.choice->recipe == test.document.chosenRecipe().id);
        seen.push_back(request.tensor.index);
        FakeEngine::answer(test.background.previews, protocol::Preview{});
    }
    CHECK(seen == std::vector<std::uint64_t>{weight, a, b});
    CHECK(test.document.isIdle());
}

TEST_CASE("the list shows the exact SQNR of a view, not the glance's estimate of the same")
{
    TestedDocument test;
    edits::chooseRecipe(test.document, "rebellions-vision");
    test.openDump();
    test.answerView();
    while (!test.background.previews.empty())
        FakeEngine::answer(test.background.previews, protocol::Preview{.sqnrDb = 50.0});
    const auto sqnrOf = [&](int tensor) {
        const protocol::Preview* taken = test.document.previews().of(tensor);
        return taken ? taken->sqnrDb : std::nullopt;
    };
    CHECK(sqnrOf(a) == 11.0);  // percentile is the second choice
    CHECK(sqnrOf(b) == 50.0);
    test.document.select(b);
    test.answerView();
    CHECK(sqnrOf(b) == 11.0);
}

TEST_CASE("a tensor that could not be glanced at is tried again once its view was read")
{
    TestedDocument test;
    test.openDump();
    test.answerView();
    while (!test.background.previews.empty())
        if (test.background.previews.front().request.tensor.index == b)
            FakeEngine::fail(test.background.previews, "the engine ended");
        else
            FakeEngine::answer(test.background.previews, protocol::Preview{});
    test.document.select(b);
    CHECK(test.background.previews.empty());
    test.answerView();
    REQUIRE(test.background.previews.size() == 1);
    CHECK(test.background.previews.front().request.tensor.index == b);
}

TEST_CASE("another recipe glances anew")
{
    TestedDocument test;
    test.openDump();
    test.answerView();
    ToldChanges told(test.document);
    edits::chooseRecipe(test.document, "moffett-cnn");
    CHECK(told.of(DocumentChange::Recipe) == 1);
    CHECK(test.document.previews().left() == 3);
    CHECK(test.background.previews.back().request.choice->recipe == "moffett-cnn");
    edits::chooseRecipe(test.document, "moffett-cnn");
    CHECK(told.of(DocumentChange::Recipe) == 1);
}

TEST_CASE("a recipe that is not known becomes the first one")
{
    TestedDocument test;
    edits::chooseRecipe(test.document, "of-another-version");
    CHECK(test.document.chosenRecipe().id == recipes().front().id);
}

TEST_CASE("neighbours are read in advance, and are there when they are selected")
{
    TestedDocument test;
    test.openDump();
    test.answerView();
    while (!test.background.previews.empty())
        FakeEngine::answer(test.background.previews, protocol::Preview{});
    test.document.questions().expect({b, odd, a});
    REQUIRE(test.background.views.size() == 1);  // odd can't be read, a is there
    FakeEngine::answer(test.background.views, viewFor(test.background.views.front().request));
    test.document.select(b);
    CHECK(test.document.questions().reader().state() == QueryState::State::Ready);
    CHECK(test.row("min-max").hasResult());
}

TEST_CASE("stopping while a dump is opening closes it")
{
    TestedDocument test;
    test.document.open("/a.h5");
    test.document.questions().stopReading();
    CHECK(test.document.dumpState() == Document::DumpState::None);
    FakeEngine::answer(test.waited.opens, someDump());
    CHECK(test.document.dumpState() == Document::DumpState::None);
}

TEST_CASE("a closed dump leaves nothing behind")
{
    TestedDocument test;
    test.openDump();
    test.document.close();
    CHECK(test.document.dumpState() == Document::DumpState::None);
    CHECK(test.document.selected() == -1);
    CHECK(test.document.path().isEmpty());
    CHECK(test.document.questions().rows().empty());
    CHECK(test.document.isIdle());
    test.document.select(a);
    CHECK(test.document.selected() == -1);
}

TEST_CASE("reloading opens the same file anew")
{
    TestedDocument test;
    test.openDump();
    test.document.reload();
    REQUIRE(test.waited.opens.size() == 1);
    CHECK(test.waited.opens.front().request.path == "/somewhere/a.h5");
    FakeEngine::answer(test.waited.opens, someDump());
    CHECK(test.document.selectedTensor()->name == "a");
}

TEST_CASE("a dump that changed on disk is read anew by each engine")
{
    const test::TemporaryFolder folder;
    const std::string path = folder.file("changing.h5");
    const std::string bytes = test::readBytes(CALIBSCOPE_SOURCE_DIR "/resources/sample/sample.h5");
    test::writeBytes(path, bytes);
    EngineClient waited;
    EngineClient background;
    for (EngineClient* engine : {&waited, &background})
        engine->setProgram(CALIBSCOPE_PROGRAM_DIR "/calib");
    Document document{waited, background};
    constexpr int patienceMs = 60000;
    const auto settled = [&document] {
        return document.dumpState() == Document::DumpState::Open && document.isIdle();
    };
    document.open(QString::fromStdString(path), {.tensor = "batch_norm_3.tmp_2"});
    REQUIRE(QTest::qWaitFor(settled, patienceMs));
    REQUIRE(document.previews().of(document.selected()) != nullptr);
    test::writeBytes(path, bytes);  // another time of change
    document.reload();
    REQUIRE(QTest::qWaitFor(settled, patienceMs));
    CHECK(document.previews().shared()->problems.empty());
    CHECK(document.previews().of(document.selected()) != nullptr);
    CHECK(std::ranges::any_of(document.questions().rows(), &OutcomeRow::hasResult));
}

TEST_CASE("a change is one step, and tells once what it changed")
{
    TestedDocument test;
    test.openDump();
    ToldChanges told(test.document);
    std::vector<bool> wereLogX;
    QObject::connect(&test.document, &Document::changed, [&](const DocumentChange& change) {
        wereLogX.push_back(change.before.display.isLogX);
    });
    test.document.change("Both", [](Workbench& workbench) {
        workbench.display.isLogX = true;
        workbench.ticks["entropy"] = false;
    });
    const DocumentChange::Parts both = DocumentChange::Display | DocumentChange::Ticks |
                                       DocumentChange::Workbench | DocumentChange::Undoable;
    CHECK(told.all == std::vector{both});
    CHECK(test.document.history().undoText() == "Both");
    CHECK_FALSE(test.row("entropy").isTicked);
    test.document.undo();
    CHECK_FALSE(test.document.workbench().display.isLogX);
    CHECK(test.row("entropy").isTicked);
    CHECK(told.all == std::vector{both, both | DocumentChange::Replayed});
    CHECK(test.document.history().redoText() == "Both");
    test.document.redo();
    CHECK(wereLogX == std::vector{false, true, false});
    CHECK(test.document.workbench().display.isLogX);
    CHECK_FALSE(test.row("entropy").isTicked);
}

TEST_CASE("an edit that changes nothing is not a step and tells nothing")
{
    TestedDocument test;
    test.openDump();
    ToldChanges told(test.document);
    test.document.change("Nothing", [](Workbench&) {});
    edits::setDisplay(test.document, test.document.workbench().display);
    CHECK_FALSE(test.document.history().canUndo());
    CHECK(told.all.empty());
}

TEST_CASE("every setter of the document can be undone")
{
    TestedDocument test;
    test.openDump();
    const Workbench untouched = test.document.workbench();
    Document& document = test.document;
    ToldChanges told(document);
    const auto check = [&](const char* what, const std::function<void()>& set) {
        INFO(what);
        const std::size_t before = told.all.size();
        set();
        CHECK(told.all.size() == before + 1);
        const Workbench changed = document.workbench();
        CHECK_FALSE(changed == untouched);
        CHECK_FALSE(document.history().undoText().isEmpty());
        document.undo();
        CHECK(document.workbench() == untouched);
        CHECK_FALSE(document.history().canUndo());
        document.redo();
        CHECK(document.workbench() == changed);
        document.undo();
    };
    check("display", [&] { edits::setDisplay(document, {.isLogCount = false}); });
    check("quantity", [&] { edits::setDisplay(document, {.quantity = Quantity::Cumulative}); });
    check("tick", [&] { edits::setTicked(document, "min-max", false); });
    check("recipe", [&] { edits::chooseRecipe(document, "moffett-cnn"); });
    check("lower plot", [&] { edits::setSecondary(document, Secondary::Batches); });
    check("baseline", [&] { edits::setBaseline(document, "entropy"); });
    check("pin", [&] { edits::setPinned(document, {b}, true); });
    check("exclude", [&] { edits::setExcluded(document, {b, weight}, true); });
    check("zoom", [&] { edits::setZoom(document, "browse", {.x = Range{0.0, 1.0}}); });
    check("understanding", [&] { edits::understand(document, {b}, {.channelAxis = 1}); });
}

TEST_CASE("undoing the choice of a recipe glances anew under the former one")
{
    TestedDocument test;
    edits::chooseRecipe(test.document, "moffett-cnn");
    test.openDump();
    test.answerView();
    edits::chooseRecipe(test.document, "rebellions-vision");
    ToldChanges told(test.document);
    test.document.undo();
    CHECK(told.of(DocumentChange::Recipe) == 1);
    CHECK(test.document.chosenRecipe().id == "moffett-cnn");
    CHECK(test.background.previews.back().request.choice->recipe == "moffett-cnn");
}

TEST_CASE("undoing what was said of a tensor reads it as it was understood before")
{
    TestedDocument test;
    test.openDump();
    test.answerView();
    edits::understand(test.document, {a}, {.channelAxis = 1});
    test.answerView();
    CHECK(test.document.selectedTensor()->channelAxis == 1);
    test.document.undo();
    CHECK_FALSE(test.document.selectedTensor()->channelAxis);
    CHECK(test.document.questions().reader().result());  // it was kept
    CHECK(test.document.understood().edited().empty());
    test.document.redo();
    CHECK(test.document.selectedTensor()->channelAxis == 1);
    CHECK(test.document.questions().reader().result());
}

TEST_CASE("what can't be said of any tensor is not a step")
{
    TestedDocument test;
    test.openDump();
    edits::understand(test.document, {a}, {.channelAxis = 7});
    CHECK_FALSE(test.document.history().canUndo());
    edits::understand(test.document, {a, weight}, {.channelAxis = 0});
    CHECK(test.document.history().canUndo());
}

TEST_CASE("a drag is one step until it ends")
{
    TestedDocument test;
    test.openDump();
    edits::setZoom(test.document, "browse", {.x = Range{0.0, 3.0}}, "wheel");
    edits::setZoom(test.document, "browse", {.x = Range{0.0, 2.0}}, "wheel");
    test.document.endMerge();
    edits::setZoom(test.document, "browse", {.x = Range{0.0, 1.0}}, "wheel");
    test.document.undo();
    CHECK(edits::zoom(test.document, "browse").x == Range{0.0, 2.0});
    test.document.undo();
    CHECK(edits::zoom(test.document, "browse") == Zoom{});
}

TEST_CASE("a zoom is its page's, and holds for the tensor that it was made on")
{
    TestedDocument test;
    test.openDump();
    edits::setZoom(test.document, "browse", {.x = Range{0.0, 1.0}});
    CHECK(edits::zoom(test.document, "calibrators") == Zoom{});
    test.document.select(b);
    CHECK(edits::zoom(test.document, "browse") == Zoom{});
    test.document.select(a);
    CHECK(edits::zoom(test.document, "browse").x == Range{0.0, 1.0});
}

TEST_CASE("what is decided while no dump is open holds, and is not a step")
{
    TestedDocument test;
    edits::setDisplay(test.document, {.isLogCount = false});
    CHECK_FALSE(test.document.history().canUndo());
    test.openDump();
    CHECK_FALSE(test.document.workbench().display.isLogCount);
    CHECK_FALSE(test.document.history().canUndo());
}

TEST_CASE("a reload keeps the steps, another dump forgets them with what was said of tensors")
{
    TestedDocument test;
    test.openDump();
    edits::setPinned(test.document, {b}, true);
    edits::setTicked(test.document, "min-max", false);
    test.document.reload();
    FakeEngine::answer(test.waited.opens, someDump());
    CHECK(edits::isPinned(test.document, b));
    CHECK(test.document.history().canUndo());
    test.document.open("/somewhere/else.h5");
    FakeEngine::answer(test.waited.opens, someDump());
    CHECK_FALSE(edits::isPinned(test.document, b));
    CHECK_FALSE(test.document.history().canUndo());
    CHECK_FALSE(test.document.workbench().ticks.at("min-max"));  // of calibrators, not of tensors
}

}  // namespace document_test
