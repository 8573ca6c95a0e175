// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/import_controller.h"

#include "core/base/whole_file.h"
#include "tests/support/catch.h"
#include "tests/support/shown_window.h"
#include "tests/support/temporary_folder.h"
#include "ui/document/decisions.h"
#include "ui/window/message_controller.h"

#include <algorithm>

namespace import_controller_test {

using namespace calibscope;
using namespace calibscope::test;

TEST_CASE("ranges that can be drawn are those of one tensor, with a width")
{
    protocol::ImportedFile file{.format = "tool"};
    file.entries = {
        {.name = "a", .line = 3, .tensor = 0, .range = Range{-2.0, 2.0}, .isSymmetric = true},
        {.name = "channels", .tensor = 1, .channels = 4, .range = Range{-1.0, 1.0}},
        {.name = "each",
         .tensor = 3,
         .channels = 2,
         .range = Range{-1.0, 1.0},
         .isSymmetric = true,
         .channelRanges = {{-1.0, 1.0}, {-0.5, 0.5}}},
        {.name = "zero", .tensor = 2, .range = Range{0.0, 0.0}},
        {.name = "none", .tensor = 2},
        {.name = "unknown", .range = Range{-1.0, 1.0}}};
    file.entries[0].findings = {{.level = FindingLevel::Warning, .text = "wide"}};
    const auto ranges = usableRanges(file, "/x/a.cache", {"/a", "/b", "/c", "/d"});
    REQUIRE(ranges.size() == 2);
    CHECK(ranges["/d"].channels == std::vector<Range>{{-1.0, 1.0}, {-0.5, 0.5}});
    CHECK(ranges["/a"].channels.empty());
    CHECK(ranges["/a"].source == "tool, a.cache, line 3");
    CHECK(ranges["/a"].findings == std::vector<std::string>{"warning: wide"});
    CHECK(ranges["/a"].isSymmetric);
}

TEST_CASE("scales of another tool become references of the open dump's tensors")
{
    CHECK(ImportController::takes("/x/model.CACHE"));
    CHECK_FALSE(ImportController::takes("/x/dump.h5"));
    ShownWindow test;
    test.openSample();
    test.window->imports().open("ssh://farhost/data/far.cache");
    CHECK(test.window->messages().bar().sentence().startsWith(
        "far.cache is on farhost and the dump on this machine; copy it to this machine first, "));
    const TemporaryFolder folder;
    const std::string path = (folder.path() / "ranges.txt").string();
    const std::string name = test.document().selectedTensor()->name;
    writeWholeFile(path, name + ": 2\nother: 1\n");
    test.window->imports().open(QString::fromStdString(path));
    ImportDialog* dialog = nullptr;
    REQUIRE(QTest::qWaitFor(
        [&] { return (dialog = test.window->findChild<ImportDialog*>()) != nullptr; }, patienceMs));
    dialog->accept();
    const auto isThere = [&] {
        for (const OutcomeRow& row : test.document().questions().rows())
            if (row.candidate.id == importedId && row.hasResult())
                return true;
        return false;
    };
    REQUIRE(QTest::qWaitFor(isThere, patienceMs));
    CHECK(test.document().workbench().imported.size() == 1);
    CHECK(test.window->messages().bar().sentence() ==
          "ranges.txt is a reference on 1 tensor: a card and a line in its histogram.");
}

TEST_CASE("scales of channels become a row of their weight, which can be accepted")
{
    ShownWindow test;
    test.openSample();
    const auto& tensors = test.document().tensors();
    const auto found = std::ranges::find(tensors, std::string("conv2d_10.w_0"), &TensorInfo::name);
    REQUIRE(found != tensors.end());
    const auto weight = static_cast<int>(found - tensors.begin());
    // AIMET counts from 0: offset -128, and the ends are -128 and 127 scales.
    std::string text =
        R"({"version": "0.6.1", "activation_encodings": {}, "param_encodings": {"conv2d_10.w_0": [)";
    for (int channel = 0; channel < 16; ++channel)
        text +=
            std::string(channel == 0 ? "" : ", ") +
            R"({"bitwidth": 8, "dtype": "int", "is_symmetric": "True", "offset": -128, "scale": )" +
            (channel == 3 ? "0.0078125" : "0.00390625") + "}";
    const TemporaryFolder folder;
    const std::string path = folder.file("w.encodings");
    writeWholeFile(path, text + "]}}");
    test.window->imports().open(QString::fromStdString(path));
    ImportDialog* dialog = nullptr;
    REQUIRE(QTest::qWaitFor(
        [&] { return (dialog = test.window->findChild<ImportDialog*>()) != nullptr; }, patienceMs));
    dialog->accept();
    test.document().select(weight);
    const OutcomeRow* row = nullptr;
    const auto isThere = [&] {
        row = nullptr;
        for (const OutcomeRow& one : test.document().questions().rows())
            if (one.candidate.id == importedId && one.hasResult() && one.outcome->isPerChannel())
                row = &one;
        return row != nullptr;
    };
    REQUIRE(QTest::qWaitFor(isThere, patienceMs));
    REQUIRE(row->outcome->channels.size() == 16);
    CHECK(row->outcome->channels[0].quantizer.scale == 0.00390625);
    CHECK(row->outcome->channels[3].quantizer.scale == 0.0078125);
    CHECK(row->outcome->channels[3].quantizer.zeroPoint == 0.0);
    CHECK(acceptCandidate(test.document(), {weight}, importedId, {}).accepted == 1);
    const Decision decision = test.document().workbench().decisions.value(found->path);
    CHECK(listedNumbers(decision.choice.settings.text("high")).size() == 16);
}

}  // namespace import_controller_test
