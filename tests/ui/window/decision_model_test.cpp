// SPDX-License-Identifier: GPL-3.0-or-later
// What stands out is what accepting takes, however it came to stand out.
#include "core/base/range.h"
#include "tests/support/becomes_quiet.h"
#include "tests/support/catch.h"
#include "tests/support/shown_window.h"
#include "ui/charts/histogram_content.h"
#include "ui/charts/threshold_layer.h"
#include "ui/document/card_choice.h"
#include "ui/document/decisions.h"
#include "ui/document/edits.h"
#include "ui/document/outcome_rows.h"
#include "ui/pages/browse/browse_page.h"
#include "ui/panels/cards/calibrator_card.h"
#include "ui/panels/cards/card_list.h"
#include "ui/panels/inspector.h"
#include "ui/widgets/message_bar.h"
#include "ui/widgets/parts_label.h"
#include "ui/window/tensor_list_controller.h"

#include <QLineEdit>
#include <QTest>
#include <QToolButton>

#include <algorithm>
#include <string>

namespace decision_model_test {

using namespace calibscope;
using namespace calibscope::test;

struct DecidingWindow : ShownWindow
{
    DecidingWindow()
    {
        window->resize(1280, 800);
        openSample();
        edits::chooseRecipe(document(), "rebellions-vision");
        show("swish_13.tmp_0");
    }
    void settle()
    {
        REQUIRE(becomesQuiet(*window, [this] { return document().isIdle(); }));
    }
    void show(const std::string& name)
    {
        const std::vector<TensorInfo>& tensors = document().tensors();
        const auto found = std::ranges::find(tensors, name, &TensorInfo::name);
        REQUIRE(found != tensors.end());
        document().select(static_cast<int>(found - tensors.begin()));
        REQUIRE(waitForView());
        settle();
    }
    void type(const char* threshold)
    {
        trigger("calibrator.threshold");
        auto* field = window->browsePage().findChild<QLineEdit*>("manualHigh");
        REQUIRE(field);
        field->setText(threshold);
        QTest::keyClick(field, Qt::Key_Return);
        settle();
    }
    std::string accepted()
    {
        trigger("calibrator.settle");
        const Decision* decision = decisionOf(document(), document().selected());
        return decision ? decision->id : std::string();
    }
    Inspector& inspector() const { return *window->findChild<Inspector*>(); }
    /// Labels of the cards whose names are bold.
    std::vector<std::string> boldCards() const
    {
        std::vector<std::string> bold;
        for (const CalibratorCard* card : inspector().cards().cards())
            if (card->face().isChosen)
                bold.push_back(card->face().id);
        return bold;
    }
    QString strip() const { return textOf("accepted"); }
    QString textOf(const char* name) const
    {
        const auto* label = inspector().findChild<ElidedLabel*>(name);
        return label && !label->isHidden() ? label->text() : QString();
    }
};

TEST_CASE("a typed threshold is bold and is what is accepted")
{
    DecidingWindow test;
    test.type("2.9");
    CHECK(test.boldCards() == std::vector<std::string>{manualId});
    CHECK(cardsOf(test.document()).chosen() == manualId);
    CHECK(test.accepted() == manualId);
}

TEST_CASE("so is one that was dragged, and one that was chosen on a curve")
{
    DecidingWindow test;
    auto& histogram = const_cast<HistogramPlot&>(test.window->browsePage().histogram());
    const QString handle = handleId({QStringLiteral("percentile"), false});
    Q_EMIT histogram.handleMoved(handle, 3.0, false);
    Q_EMIT histogram.handleMoved(handle, 2.5, true);
    test.settle();
    CHECK(test.boldCards() == std::vector<std::string>{manualId});
    CHECK(test.accepted() == manualId);
    test.document().undo();  // the decision
    test.document().undo();  // the drag
    test.settle();
    CHECK(test.boldCards() == std::vector<std::string>{"percentile"});
    CHECK(test.accepted() == "percentile");
    edits::setManualRange(test.document(), 2.0, true);
    test.settle();
    CHECK(test.accepted() == manualId);
}

TEST_CASE("an open card is bold in the list and in the plots, and closed gives way to the recipe's")
{
    DecidingWindow test;
    cardsOf(test.document()).choose("fixed");
    test.settle();
    CHECK(test.boldCards() == std::vector<std::string>{"fixed"});
    cardsOf(test.document()).choose({});
    test.settle();
    CHECK(test.boldCards() == std::vector<std::string>{"percentile"});
    CHECK(test.accepted() == "percentile");
}

TEST_CASE(
    "a decision is bold and accepted again, on later visits too, until a card is opened there")
{
    DecidingWindow test;
    cardsOf(test.document()).choose("fixed");
    test.settle();
    CHECK(test.accepted() == "fixed");
    cardsOf(test.document()).choose({});
    test.settle();
    CHECK(test.boldCards() == std::vector<std::string>{"fixed"});
    CHECK(test.accepted() == "fixed");

    test.show("p2o.AveragePool.1");
    cardsOf(test.document()).choose("min-max");
    test.settle();
    test.show("swish_13.tmp_0");
    CHECK(test.boldCards() == std::vector<std::string>{"fixed"});
    CHECK(test.accepted() == "fixed");
    CHECK(test.textOf("acceptedNote").startsWith("not the recipe's choice: −"));

    cardsOf(test.document()).choose("min-max");
    test.settle();
    CHECK(test.boldCards() == std::vector<std::string>{"min-max"});
    CHECK(test.textOf("acceptedNote").startsWith("+"));
    CHECK(test.textOf("acceptedNote").endsWith(" dB by min-max instead?"));
    CHECK(test.accepted() == "min-max");
    CHECK(std::ranges::any_of(test.window->findChildren<MessageBar*>(), [](const MessageBar* bar) {
        return bar->sentence().startsWith("Accepted min-max instead of fixed 1: +");
    }));
    test.document().undo();
    test.settle();
    CHECK(test.boldCards() == std::vector<std::string>{"fixed"});
}

TEST_CASE("a card that another tensor does not have is closed there")
{
    DecidingWindow test;
    test.type("2.9");
    test.show("softmax_10.tmp_0");
    CHECK(cardsOf(test.document()).chosen().empty());
    CHECK(test.accepted() == "percentile");
    test.show("swish_13.tmp_0");
    CHECK(cardsOf(test.document()).chosen().empty());
}

TEST_CASE("a card is open on one tensor: on the next one the recipe's choice is bold and accepted")
{
    DecidingWindow test;
    cardsOf(test.document()).choose("fixed");
    test.settle();
    test.show("p2o.AveragePool.1");
    CHECK(cardsOf(test.document()).chosen().empty());
    CHECK(test.strip() == "Accept percentile 99.999?");
    CHECK(test.textOf("acceptedNote").isEmpty());
    CHECK(test.accepted() == "percentile");
    cardsOf(test.document()).choose("fixed");
    test.settle();
    // 31.34 dB of percentile 99.999 and 0.92 dB of fixed 1, as the cards say.
    CHECK(test.textOf("acceptedNote").startsWith("−30."));
}

TEST_CASE("Undo in a message takes back its own step, whatever came after it")
{
    DecidingWindow test;
    const auto undo = [&test](const QString& begin) {
        for (const MessageBar* bar : test.window->findChildren<MessageBar*>())
            for (QAbstractButton* button : bar->findChildren<QAbstractButton*>())
                if (bar->sentence().startsWith(begin) && button->text() == "&Undo") {
                    button->click();
                    return true;
                }
        return false;
    };
    CHECK(test.accepted() == "percentile");
    cardsOf(test.document()).choose("fixed");
    CHECK(test.accepted() == "fixed");
    test.settle();
    test.trigger("view.log-count");
    const bool isLogCount = test.document().workbench().display.isLogCount;
    REQUIRE(undo("Accepted fixed 1 instead"));
    const Decision* decision = decisionOf(test.document(), test.document().selected());
    REQUIRE(decision);
    CHECK(decision->id == "percentile");
    CHECK(test.document().workbench().display.isLogCount == isLogCount);
    test.settle();
    test.trigger("calibrator.unsettle-shown");
    test.settle();
    CHECK(decidedCount(test.document()) == 0);
    REQUIRE(undo("Cleared 1 decision"));
    CHECK(decidedCount(test.document()) == 1);
}

TEST_CASE("a message about a decision goes with that decision")
{
    DecidingWindow test;
    const auto isSaid = [&test](const QString& begin) {
        return std::ranges::any_of(
            test.window->findChildren<MessageBar*>(),
            [&begin](const MessageBar* bar) { return bar->sentence().startsWith(begin); });
    };
    CHECK(test.accepted() == "percentile");
    cardsOf(test.document()).choose("fixed");
    CHECK(test.accepted() == "fixed");
    test.trigger("view.log-count");
    CHECK(isSaid("Accepted fixed 1 instead"));
    test.document().undo();  // the axis
    CHECK(isSaid("Accepted fixed 1 instead"));
    test.document().undo();
    CHECK_FALSE(isSaid("Accepted fixed 1 instead"));
    test.trigger("calibrator.unsettle-shown");
    REQUIRE(isSaid("Cleared 1 decision"));
    test.document().undo();
    CHECK_FALSE(isSaid("Cleared 1 decision"));
}

TEST_CASE("a decision that is replaced by a button is reported, too, with what that costs")
{
    DecidingWindow test;
    CHECK(test.accepted() == "percentile");
    const auto said = [&test](const QString& begin) {
        return std::ranges::any_of(
            test.window->findChildren<MessageBar*>(),
            [&begin](const MessageBar* bar) { return bar->sentence().startsWith(begin); });
    };
    cardsOf(test.document()).choose("fixed");
    test.settle();
    CHECK_FALSE(said("Accepted fixed 1 instead"));
    const QList<QToolButton*> buttons = test.inspector().findChildren<QToolButton*>();
    const auto accept = std::ranges::find_if(
        buttons, [](const QToolButton* button) { return button->text() == "Accept"; });
    REQUIRE(accept != buttons.end());
    (*accept)->click();
    test.settle();
    CHECK(said("Accepted fixed 1 instead of percentile 99.999: −"));
    CHECK(cardsOf(test.document()).chosen() == "fixed");  // nothing folds under the pointer
    test.document().undo();
    test.settle();
    CHECK_FALSE(said("Accepted percentile"));
    for (MessageBar* bar : test.window->findChildren<MessageBar*>())
        bar->hide();
    test.document().redo();  // the last step there is
    test.settle();
    CHECK(test.accepted() == "fixed");
    CHECK(std::ranges::none_of(test.window->findChildren<MessageBar*>(), [](const MessageBar* bar) {
        return !bar->isHidden() && bar->sentence().startsWith("Accepted fixed 1 instead");
    }));
}

TEST_CASE("a change of page or tensor never ends in a text field")
{
    DecidingWindow test;
    const std::vector<const char*> pages = {"view.browse", "view.calibrators", "view.channels",
                                            "view.deploy", "view.summary"};
    for (const char* from : pages)
        for (const char* to : pages) {
            if (from == to)
                continue;
            test.trigger(from);
            test.settle();
            for (QWidget* widget : test.window->findChildren<QWidget*>()) {
                if (!widget->isVisible() || !widget->isEnabled() ||
                    !(widget->focusPolicy() & Qt::TabFocus) ||
                    !test.window->shownPage().isAncestorOf(widget))
                    continue;
                widget->setFocus();
                break;
            }
            test.trigger(to);
            test.settle();
            const QWidget* focused = test.window->focusWidget();
            CAPTURE(from, to);
            CHECK_FALSE((focused &&
                         (focused->inherits("QLineEdit") || focused->inherits("QAbstractSpinBox") ||
                          focused->inherits("QComboBox"))));
        }
}

TEST_CASE("Enter and Escape lead from the manual field back to the plot")
{
    DecidingWindow test;
    test.type("2.9");
    CHECK(test.window->focusWidget() == &test.window->browsePage().histogram());
    test.trigger("calibrator.threshold");
    auto* field = test.window->browsePage().findChild<QLineEdit*>("manualHigh");
    field->setText("1.5");
    QTest::keyClick(field, Qt::Key_Escape);
    CHECK(field->text() == "2.9");
    CHECK(test.window->focusWidget() == &test.window->browsePage().histogram());
    CHECK(edits::manualRange(test.document()) == Range{-2.9, 2.9});
}

}  // namespace decision_model_test
