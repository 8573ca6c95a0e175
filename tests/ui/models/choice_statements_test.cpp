#include "ui/models/choice_statements.h"

#include "core/calibrators/calibrator.h"
#include "core/recipes/make_choice.h"
#include "core/recipes/preset.h"
#include "core/recipes/recipe.h"
#include "tests/support/catch.h"

using namespace calibscope;

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
