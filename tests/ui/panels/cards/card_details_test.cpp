// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/cards/card_details.h"

#include "core/calibrators/calibrator.h"
#include "core/recipes/choice_edit.h"
#include "core/recipes/make_choice.h"
#include "core/recipes/preset.h"
#include "core/recipes/recipe.h"
#include "tests/support/catch.h"
#include "ui/widgets/parameter_form.h"

#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>

namespace card_details_test {

using namespace calibscope;

namespace {

DetailedCandidate candidateOf(const std::string& calibrator)
{
    DetailedCandidate candidate;
    candidate.first =
        makeChoice(calibrator, {}, SchemeKind::SymmetricRestricted, Granularity::Tensor);
    candidate.row.candidate = {calibrator, candidate.first, calibrator, {}};
    return candidate;
}

/// As a user does: the word is picked from the list.
void pick(const ParameterControl& control, const QString& word)
{
    auto& words = *control.findChild<QComboBox*>();
    words.setCurrentText(word);
    Q_EMIT words.activated(words.currentIndex());
}

QPushButton& buttonOf(const CardDetails& details, const QString& text)
{
    for (QPushButton* button : details.findChildren<QPushButton*>())
        if (button->text() == text)
            return *button;
    throw std::invalid_argument("no such button");
}

}  // namespace

TEST_CASE("an edited setting comes as the whole choice")
{
    CardDetails details;
    details.showCandidate(candidateOf("entropy"));
    std::vector<Choice> edits;
    QObject::connect(&details, &CardDetails::edited,
                     [&](const std::string& label, const Choice& choice) {
                         CHECK(label == "entropy");
                         edits.push_back(choice);
                     });
    pick(details.form().control("first-bin"), "discarded");
    REQUIRE(edits.size() == 1);
    CHECK(settingOf(edits[0], "first-bin") == "discarded");
    CHECK(settingOf(edits[0], "levels") == "qmax");
    pick(details.schemeForm().control("granularity"), "channel");
    REQUIRE(edits.size() == 2);
    CHECK(edits[1].granularity == Granularity::Channel);
}

TEST_CASE("an edit that the calibrator refuses says why, and the control goes back")
{
    CardDetails details;
    details.showCandidate(candidateOf("l2"));
    int edits = 0;
    QObject::connect(&details, &CardDetails::edited, [&] { ++edits; });
    pick(details.schemeForm().control("scheme"), "affine");
    CHECK(edits == 0);
    CHECK(details.problem().contains("l2"));
    CHECK(details.schemeForm().control("scheme").value() == "symmetric-restricted");
    details.showCandidate(candidateOf("entropy"));
    CHECK(details.problem().isEmpty());
}

TEST_CASE("changed settings are marked, and all can be put back at once")
{
    CardDetails details;
    DetailedCandidate candidate = candidateOf("entropy");
    details.showCandidate(candidate);
    CHECK(buttonOf(details, "Reset all").isHidden());
    candidate.row.candidate.choice = withSetting(candidate.first, "levels", "64");
    details.showCandidate(candidate);
    CHECK(details.form().isMarked("levels"));
    CHECK_FALSE(details.form().isMarked("bins"));
    QSignalSpy resets(&details, &CardDetails::resetRequested);
    REQUIRE_FALSE(buttonOf(details, "Reset all").isHidden());
    buttonOf(details, "Reset all").click();
    REQUIRE(resets.count() == 1);
    CHECK(resets.front().front().value<std::string>() == "entropy");
}

TEST_CASE("only what the user added can be removed")
{
    CardDetails details;
    DetailedCandidate candidate = candidateOf("mse");
    details.showCandidate(candidate);
    CHECK(buttonOf(details, "Remove").isHidden());
    candidate.row.origin = OutcomeRow::Origin::Added;
    details.showCandidate(candidate);
    CHECK_FALSE(buttonOf(details, "Remove").isHidden());
}

TEST_CASE("the texts behind a candidate open on request")
{
    CardDetails details;
    details.resize(380, 900);
    details.show();
    details.showCandidate(candidateOf("entropy"));
    const auto expanders = details.findChildren<Expander*>();
    REQUIRE(expanders.size() == 3);
    for (Expander* expander : expanders)
        expander->setOpen(true);
    QString text;
    for (const QLabel* label : details.findChildren<QLabel*>())
        if (label->isVisible())
            text += label->text();
    CHECK(text.contains("NVIDIA (v4.0), Entropy"));
    CHECK(text.contains("the counts of the bins 0 to B"));
}

namespace {

const std::vector<std::string> nvidia = {"nvidia-entropy"};

Choice entropy()
{
    return makeChoice("entropy", {}, SchemeKind::SymmetricRestricted, Granularity::Tensor);
}

bool holds(const QString& text, const std::string& part)
{
    return text.contains(QString::fromStdString(part));
}

}  // namespace

TEST_CASE("every statement of calibrator and recipe is told once, each under its own heading")
{
    const ChoiceStatements texts = statementsOf(entropy(), nvidia);
    CHECK(holds(texts.states, std::string(calibrator("entropy").summary)));
    CHECK(holds(texts.states, std::string(calibrator("entropy").source)));
    for (const std::string& sentence : recipe("nvidia-entropy").states) {
        CHECK(texts.states.count(QString::fromStdString(sentence)) == 1);
        CHECK_FALSE(holds(texts.chosen, sentence));
    }
    for (const std::string& sentence : recipe("nvidia-entropy").chosen)
        CHECK(texts.chosen.count(QString::fromStdString(sentence)) == 1);
}

TEST_CASE("the definition comes without its place for parameters, the growth rule with its text")
{
    const QString chosen = statementsOf(entropy(), {}).chosen;
    CHECK(chosen.contains("the counts of the bins 0 to B"));
    CHECK_FALSE(chosen.contains("{options}"));
    CHECK(chosen.contains("Histogram: double"));
    CHECK(chosen.contains("pairs are merged"));
}

TEST_CASE("a preset names its source, a rule's note is told")
{
    Choice choice = makeChoice(preset("nvidia-entropy-open"), {}, SchemeKind::SymmetricRestricted,
                               Granularity::Tensor);
    choice.note = "taken for an activation";
    const ChoiceStatements texts = statementsOf(choice, {});
    CHECK(holds(texts.states, preset("nvidia-entropy-open").source));
    CHECK(texts.chosen.endsWith("taken for an activation"));
}

TEST_CASE("every calibrator, recipe and preset has something to say")
{
    for (const Calibrator& algorithm : calibrators()) {
        const Choice choice =
            makeChoice(algorithm.id, {}, SchemeKind::SymmetricRestricted, Granularity::Tensor);
        CHECK_FALSE(statementsOf(choice, {}).states.isEmpty());
        CHECK_FALSE(statementsOf(choice, {}).chosen.isEmpty());
    }
}

}  // namespace card_details_test
