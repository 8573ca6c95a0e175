// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/catch.h"
#include "tests/support/file_bytes.h"
#include "tests/support/h5_growing.h"
#include "tests/support/npy_files.h"
#include "tests/support/shown_window.h"
#include "tests/support/temporary_folder.h"
#include "ui/document/previews.h"
#include "ui/widgets/message_bar.h"
#include "ui/window/message_controller.h"
#include "ui/window/session_controller.h"

#include <QPushButton>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace follow_test {

using namespace calibscope;
using namespace calibscope::test;

/// A window on a recording, and the states of its reader and of the dump since.
struct Watching : ShownWindow
{
    explicit Watching(const std::string& path)
    {
        window->open(QString::fromStdString(path));
        REQUIRE(waitForDump());
        trigger("tensor.first");
        REQUIRE(waitForView());
        REQUIRE(waitUntil([this] { return document().isIdle(); }));
        QObject::connect(&document().questions(), &Questions::viewChanged, window.get(),
                         [this] { states.push_back(document().questions().reader().state()); });
        QObject::connect(&document(), &Document::dumpChanged, window.get(), [this] { ++changes; });
    }
    template <typename Condition>
    static bool waitUntil(const Condition& condition)
    {
        return QTest::qWaitFor(condition, patienceMs);
    }
    /// Histogram and list are of so many samples.
    bool waitForSamples(std::uint64_t samples)
    {
        return waitUntil([&] {
            const auto* view = document().questions().reader().result();
            return document().selectedTensor() && view && document().isIdle() &&
                   view->profile.info.sampleCount() == samples &&
                   document().selectedTensor()->sampleCount() == samples;
        });
    }
    bool isNeverEmpty() const
    {
        return changes == 0 && std::ranges::count(states, QueryState::State::Ready) ==
                                   static_cast<std::ptrdiff_t>(states.size());
    }
    MessageBar& bar() { return window->messages().bar(); }
    void press(const QString& text)
    {
        for (QPushButton* button : bar().findChildren<QPushButton*>())
            if (button->text().remove(u'&') == text)
                return button->click();
        FAIL("no button " << text.toStdString());
    }
    bool isChecked() { return window->actions()["file.follow"].isChecked(); }

    std::vector<QueryState::State> states;
    int changes = 0;
};

TEST_CASE("a recording that runs is followed until its recorder closes it")
{
    const TemporaryFolder folder;
    const std::string path = folder.file("growing.h5");
    auto recorder = std::make_unique<GrowingFile>(path);
    recorder->append(3);
    Watching test(path);
    CHECK(test.bar().sentence() ==
          "growing.h5 is still being written. What is shown is its beginning.");
    test.document().change("Log x axis",
                           [](Workbench& workbench) { workbench.display.isLogX = true; });
    test.press("Follow");
    CHECK(test.isChecked());
    CHECK_FALSE(test.bar().isVisible());
    for (const std::uint64_t batches : std::vector<std::uint64_t>{5, 6, 66}) {
        recorder->append(batches - test.document().tensors()[0].batchCount());
        REQUIRE(test.waitForSamples(4 * batches));
        CHECK(test.window->windowTitle() ==
              QString("growing.h5 (following: %1 batches, %2 samples)")
                  .arg(batches)
                  .arg(4 * batches));
    }
    CHECK(test.document().questions().reader().result()->profile.extents().max == 65);
    CHECK(test.document().previews().of(0)->extents.max == 65);
    CHECK(test.document().history().canUndo());
    CHECK(test.document().workbench().display.isLogX);
    CHECK(test.isNeverEmpty());

    recorder.reset();
    REQUIRE(test.waitUntil([&] { return !test.document().dump().isGrowing.value_or(true); }));
    writeBytes(path, readBytes(path) + "x");  // it adds what is known at the end
    REQUIRE(test.waitUntil([&] { return !test.isChecked(); }));
    CHECK(test.document().dump().identity.bytes == std::filesystem::file_size(path));
    CHECK(test.bar().sentence() == "growing.h5 is complete: its recorder has closed it.");
    CHECK(test.window->windowTitle() == "growing.h5");
    CHECK(test.isNeverEmpty());
}

TEST_CASE("a folder that fills is followed until the user has seen enough")
{
    const TemporaryFolder folder;
    std::filesystem::create_directory(folder.file("acts"));
    const auto record = [&](int batch, const std::string& name) {
        const std::string file = folder.file("acts/" + name + "." + std::to_string(batch) + ".npy");
        writeBytes(file + ".part",
                   npyOf("<f4", "(2, 3)",
                         bytesOfElements(std::vector<float>(6, static_cast<float>(batch)))));
        std::filesystem::rename(file + ".part", file);
    };
    record(1, "a");
    record(2, "a");
    Watching test(folder.file("acts"));
    test.trigger("file.follow");
    CHECK(test.isChecked());
    record(3, "a");
    REQUIRE(test.waitForSamples(6));
    record(4, "a");
    REQUIRE(test.waitForSamples(8));
    CHECK(test.isNeverEmpty());

    // Another tensor is another list: the selection stays.
    record(1, "A0");
    record(2, "A0");
    REQUIRE(test.waitUntil([&] { return test.document().tensors().size() == 2; }));
    CHECK(test.document().selectedTensor()->name == "a");
    CHECK(test.isChecked());
    CHECK(test.window->windowTitle() == "acts (following: 4 batches, 8 samples)");
    test.trigger("file.follow");
    CHECK_FALSE(test.isChecked());
    CHECK(test.window->windowTitle() == "acts");
}

TEST_CASE("a folder of one file for each tensor is counted in tensors")
{
    const TemporaryFolder folder;
    std::filesystem::create_directory(folder.file("acts"));
    const auto record = [&](const std::string& name) {
        writeBytes(folder.file("acts/" + name + ".npy"),
                   npyOf("<f4", "(2, 3)", bytesOfElements(std::vector<float>(6, 1.0F))));
    };
    record("a");
    Watching test(folder.file("acts"));
    test.trigger("file.follow");
    CHECK(test.window->windowTitle() == "acts (following: 1 tensor, 2 samples)");
    record("b");
    REQUIRE(test.waitUntil([&] { return test.document().tensors().size() == 2; }));
    CHECK(test.window->windowTitle() == "acts (following: 2 tensors, 2 samples)");
}

TEST_CASE("a session of a recording that has grown since says that it has")
{
    const TemporaryFolder folder;
    GrowingFile recorder(folder.file("growing.h5"));
    recorder.append(3);
    const QString session = QString::fromStdString(folder.file("s.calsession"));
    {
        Watching test(folder.file("growing.h5"));
        test.window->sessions().keeper().save(session);
        test.window->sessions().keeper().finish();
    }
    recorder.append(6);
    ShownWindow again;
    again.window->sessions().open(session);
    REQUIRE(again.waitForDump());
    CHECK(again.window->messages().log().text().contains(
        "growing.h5 was being recorded when the session was saved, and has grown since: size "));
}

TEST_CASE("another dump in the window, or the end of the file, ends it")
{
    const TemporaryFolder folder;
    GrowingFile recorder(folder.file("growing.h5"));
    recorder.append(3);
    Watching test(folder.file("growing.h5"));
    test.press("Follow");
    std::filesystem::remove(folder.file("growing.h5"));
    REQUIRE(test.waitUntil([&] { return !test.isChecked(); }));
    CHECK(test.bar().sentence().contains("no longer exists"));
    CHECK(test.window->windowTitle().contains("no longer exists"));

    GrowingFile second(folder.file("second.h5"));
    second.append(1);
    test.window->open(QString::fromStdString(folder.file("second.h5")));
    REQUIRE(test.waitForDump());
    test.trigger("file.follow");
    CHECK(test.isChecked());
    test.window->open(sampleDumpPath());
    REQUIRE(test.waitForDump());
    CHECK_FALSE(test.isChecked());
}

}  // namespace follow_test
