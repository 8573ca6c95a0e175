// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/summary/summary_page.h"
#include "ui/pages/summary/summary_rows.h"

#include "tests/support/catch.h"
#include "tests/support/fake_engine.h"
#include "ui/document/edits.h"
#include "ui/panels/summary_card.h"
#include "ui/widgets/message_bar.h"

#include <QAction>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>

#include <algorithm>

namespace summary_page_test {

using namespace calibscope;
using calibscope::test::FakeEngine;

protocol::DumpOpened someDump()
{
    return {.identity = {.path = "/somewhere/a.h5", .bytes = 4810000},
            .attributes = {{"framework", "PyTorch 2.1"}},
            .warnings = {"/x: its attribute layout was passed over"},
            .tensors = {{.name = "a",
                         .path = "/a",
                         .role = Role::Activation,
                         .elementType = ElementKind::Float32,
                         .shape = {100, 10},
                         .layoutRule = "shapes",
                         .isGuess = true},
                        {.name = "w",
                         .path = "/w",
                         .role = Role::Weight,
                         .elementType = ElementKind::Float16,
                         .shape = {10, 10},
                         .layoutRule = "words"},
                        {.name = "x",
                         .path = "/x",
                         .unreadable = {Unreadable::Reason::OtherFile,
                                        "lies in x.bin; allow that with --allow-external"}}}};
}

struct Page
{
    Page()
    {
        page.resize(700, 900);
        page.show();
        document.open("/somewhere/a.h5");
        FakeEngine::answer(waited.opens, someDump());
        waitForText("a.h5");
    }
    bool waitForText(const QString& text)
    {
        return QTest::qWaitFor([&] { return page.textSummary().contains(text); }, 5000);
    }

    FakeEngine waited;
    FakeEngine background;
    Document document{waited, background};
    SummaryPage page{document};
};

TEST_CASE("Tab goes down the page, from its first button")
{
    Page test;
    test.page.resize(500, 900);  // one column
    const auto tabStops = [&test] {
        std::vector<const QWidget*> stops;
        for (const QWidget* next = test.page.nextInFocusChain(); next != &test.page;
             next = next->nextInFocusChain())
            if (next->isVisible() && (next->focusPolicy() & Qt::TabFocus) != 0)
                stops.push_back(next);
        return stops;
    };
    REQUIRE(tabStops().size() > 5);
    CHECK(tabStops().front()->objectName() == "browseFirst");
    const auto isAbove = [&test](const QWidget* one, const QWidget* other) {
        const auto middle = [&test](const QWidget* stop) {
            return stop->mapTo(test.page.widget(), stop->rect().center()).y();
        };
        constexpr int rowPixels = 30;  // of controls that differ in height
        return middle(one) + rowPixels < middle(other);
    };
    CHECK(QTest::qWaitFor([&] { return std::ranges::is_sorted(tabStops(), isAbove); }, 2000));
    CHECK((test.page.focusPolicy() & Qt::TabFocus) == 0);
}

TEST_CASE("the page tells what the dump holds, how it was understood and what can't be read")
{
    Page test;
    const QString text = test.page.textSummary();
    for (const char* part : {"a.h5", "1\u202f101", "4.81 MB", "4.4 kB", "activations 1 tensor",
                             "float16", "shapes 1 tensor, 1 guessed", "framework PyTorch 2.1",
                             "attribute layout was passed over", "x Lies in x.bin"}) {
        CAPTURE(part);
        CHECK(text.contains(QString::fromUtf8(part)));
    }
    CHECK_FALSE(text.contains("Lowest SQNR"));  // nothing is known yet
}

TEST_CASE("the worst tensors appear as their glances are taken")
{
    Page test;
    while (!test.background.previews.empty())
        FakeEngine::answer(test.background.previews, protocol::Preview{.sqnrDb = 21.5});
    CHECK(test.waitForText("a 21.5 dB"));
    CHECK(test.waitForText("Nothing found that explains 21.5 dB"));
}

TEST_CASE("its buttons lead to the first tensor and to the first guess")
{
    Page test;
    CHECK(test.page.findChild<QPushButton*>("showFirstGuess")->isVisible());
    const QSignalSpy guesses(&test.page, &SummaryPage::guessRequested);
    test.page.findChild<QPushButton*>("showFirstGuess")->click();
    REQUIRE(guesses.count() == 1);  // the window knows the page that asks about it
    CHECK(guesses.front().front().toInt() == 0);
    edits::confirm(test.document, {0});
    CHECK(QTest::qWaitFor(
        [&] { return !test.page.findChild<QPushButton*>("showFirstGuess")->isVisible(); }, 5000));
    test.page.findChild<QPushButton*>("browseFirst")->click();
    CHECK(test.document.selected() == 0);
}

TEST_CASE("a step is a button for its action, with its key")
{
    Page test;
    QAction action;
    action.setShortcut(QKeySequence("W"));
    test.page.addStep("The worst tensor", action);
    const QSignalSpy triggered(&action, &QAction::triggered);
    const QList<QPushButton*> buttons = test.page.findChildren<QPushButton*>();
    const auto button = std::ranges::find_if(
        buttons, [](const QPushButton* one) { return one->text() == "The worst tensor   (W)"; });
    REQUIRE(button != buttons.end());
    (*button)->click();
    CHECK(triggered.count() == 1);
    action.setEnabled(false);
    CHECK_FALSE((*button)->isEnabled());
}

TEST_CASE("a recipe that covers nothing is said, with one that does")
{
    Page test;
    edits::chooseRecipe(test.document, "google-tpu");
    const auto said = [&test]() -> MessageBar* {
        for (MessageBar* bar : test.page.findChildren<MessageBar*>())
            if (bar->isVisible() && bar->sentence().contains("covers none"))
                return bar;
        return nullptr;
    };
    CHECK_FALSE(said());  // it has a rule for weights
    edits::chooseRecipe(test.document, "moffett-bert");
    REQUIRE(said());
    said()->findChild<QPushButton*>()->click();
    CHECK_FALSE(recipeCoversNone(test.document));
    CHECK_FALSE(said());
}

TEST_CASE("of findings rounding comes last, however many have it")
{
    protocol::Preview usual;
    usual.findings = {{FindingKind::RoundingBound, 1.0, "rounding-bound"}};
    protocol::Preview other = usual;
    other.findings.push_back({FindingKind::HeavyTail, 4.0, "tail"});
    const std::vector<CardRow> rows = findingRows({{0, usual}, {1, usual}, {2, other}});
    REQUIRE(rows.size() == 2);
    CHECK(rows[0].name == "heavy tail");
    CHECK(rows[1].value == "3 tensors");
}

TEST_CASE("a name leads to its tensor, a group to the list's filter")
{
    Page test;
    const QSignalSpy filters(&test.page, &SummaryPage::filterRequested);
    Q_EMIT test.page.findChildren<SummaryCard*>().front()->linkActivated("filter:type:float16");
    REQUIRE(filters.count() == 1);
    CHECK(filters[0][0].toString() == "type:float16");
    const QSignalSpy tensors(&test.page, &SummaryPage::tensorRequested);
    Q_EMIT test.page.findChildren<SummaryCard*>().front()->linkActivated("tensor:1");
    REQUIRE(tensors.count() == 1);
    CHECK(tensors[0][0].toInt() == 1);
}

TEST_CASE("other files are offered where tensors lie in them, and only then")
{
    Page test;
    auto* strip = test.page.findChild<MessageBar*>();
    CHECK(strip->sentence().contains("other files"));
    strip->findChild<QPushButton*>()->click();
    CHECK(test.waited.opens.front().request.allowExternal);
}

}  // namespace summary_page_test
