// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recipes/candidates.h"

#include "core/recipes/make_choice.h"
#include "tests/support/catch.h"

#include <algorithm>
#include <set>

namespace candidates_test {

using namespace calibscope;

const TensorInfo activation{
    .name = "a", .role = Role::Activation, .shape = {8, 40, 240}, .op = "Mul"};
const TensorInfo weight{
    .name = "w", .role = Role::Weight, .shape = {16, 3, 3, 3}, .channelAxis = 0, .op = "Conv"};

Recipe recipeOf(std::string id, Choice choice)
{
    return {.id = std::move(id), .rules = {{.choice = std::move(choice)}}};
}

std::vector<Candidate> candidatesOf(const TensorInfo& tensor, std::vector<Recipe> recipes)
{
    return candidatesFor(tensor, Consumers({}), recipes);
}

std::vector<std::string> labels(const std::vector<Candidate>& candidates)
{
    std::vector<std::string> list;
    std::ranges::transform(candidates, std::back_inserter(list), &Candidate::label);
    return list;
}

const std::vector<std::string> standardLabels = {"min-max", "percentile 99.999", "entropy",
                                                 "entropy, no fold-in", "fixed 1"};

TEST_CASE("without recipes the candidates are the standard calibrators, one scale for the tensor")
{
    const std::vector<Candidate> candidates = candidatesOf(weight, {});
    CHECK(labels(candidates) == standardLabels);
    CHECK(candidates.size() == standardCandidates);
    for (const Candidate& candidate : candidates) {
        CHECK(candidate.choice.granularity == Granularity::Tensor);
        CHECK(candidate.recipes.empty());
    }
}

TEST_CASE("recipes that make the same choice share a candidate, in the order of the recipes")
{
    const Choice entropy =
        makeChoice("entropy", {}, SchemeKind::SymmetricRestricted, Granularity::Tensor);
    const std::vector<Candidate> candidates =
        candidatesOf(activation, {recipeOf("first", entropy), recipeOf("second", entropy)});
    CHECK(labels(candidates) == standardLabels);
    CHECK(candidates[2].recipes == std::vector<std::string>{"first", "second"});
    CHECK(candidates[2].choice.recipe == "first");
}

TEST_CASE("a recipe's choice in another scheme takes the standard place")
{
    const Choice full = makeChoice("percentile", {{"alpha", "99.999"}}, SchemeKind::SymmetricFull,
                                   Granularity::Tensor);
    const std::vector<Candidate> candidates = candidatesOf(activation, {recipeOf("r", full)});
    CHECK(labels(candidates) == standardLabels);
    CHECK(candidates[1].choice.scheme.kind == SchemeKind::SymmetricFull);
    CHECK(candidates[1].recipes == std::vector<std::string>{"r"});
}

TEST_CASE("a standard place that a recipe took goes to no other recipe's scheme")
{
    const auto percentile = [](SchemeKind kind) {
        return makeChoice("percentile", {{"alpha", "99.999"}}, kind, Granularity::Tensor);
    };
    const std::vector<Candidate> candidates = candidatesOf(
        activation, {recipeOf("restricted", percentile(SchemeKind::SymmetricRestricted)),
                     recipeOf("full", percentile(SchemeKind::SymmetricFull))});
    REQUIRE(candidates.size() == standardCandidates + 1);
    CHECK(candidates[1].label == "percentile 99.999");
    CHECK(candidates[1].recipes == std::vector<std::string>{"restricted"});
    CHECK(candidates[5].label == "percentile 99.999, full");
    CHECK(candidates[5].recipes == std::vector<std::string>{"full"});
}

TEST_CASE("what recipes choose beyond the standard follows it: per channel, other settings")
{
    const Choice perChannel =
        makeChoice("min-max", {}, SchemeKind::SymmetricFull, Granularity::Channel);
    const Choice fractional = makeChoice("min-max", {{"fraction", "0.999"}},
                                         SchemeKind::SymmetricRestricted, Granularity::Tensor);
    const std::vector<Candidate> candidates =
        candidatesOf(weight, {recipeOf("a", perChannel), recipeOf("b", fractional)});
    REQUIRE(candidates.size() == standardCandidates + 2);
    CHECK(candidates[5].label == "min-max per channel");
    CHECK(candidates[6].label == "min-max 0.999");
}

TEST_CASE("choices that differ in a parameter of the scheme alone still have labels of their own")
{
    const auto bits = [](const char* text) {
        return makeChoice("min-max", {{"bits", text}}, SchemeKind::SymmetricFull,
                          Granularity::Channel);
    };
    std::vector<std::string> found = labels(candidatesOf(
        weight, {recipeOf("a", bits("8")), recipeOf("b", bits("4")), recipeOf("c", bits("3"))}));
    CHECK(found.size() == standardCandidates + 3);
    std::ranges::sort(found);
    CHECK(std::ranges::adjacent_find(found) == found.end());
}

TEST_CASE("a recipe without a rule for the tensor adds nothing")
{
    Recipe onlyWeights =
        recipeOf("w", makeChoice("min-max", {}, SchemeKind::SymmetricFull, Granularity::Channel));
    onlyWeights.rules[0].role = Role::Weight;
    CHECK(candidatesOf(activation, {onlyWeights}).size() == standardCandidates);
}

TEST_CASE("the embedded recipes give each tensor labels without twins")
{
    for (const TensorInfo& tensor : {activation, weight}) {
        std::vector<std::string> found = labels(candidatesFor(tensor, Consumers({}), recipes()));
        CHECK(found.size() > standardCandidates);
        std::ranges::sort(found);
        CHECK(std::ranges::adjacent_find(found) == found.end());
    }
}

TEST_CASE("a label names what differs from the calibrator's defaults")
{
    const auto label = [](const char* id, const GivenSettings& given) {
        return shortLabel(
            makeChoice(id, given, SchemeKind::SymmetricRestricted, Granularity::Tensor));
    };
    CHECK(label("entropy", {{"first-bin", "discarded"}}) == "entropy, first bin discarded");
    CHECK(label("entropy", {{"first-bin", "discarded"}, {"outliers-in-q", "no"}}) ==
          "entropy, first bin discarded, no fold-in");
    CHECK(label("percentile", {{"alpha", "99.9"}, {"estimator", "lower"}}) ==
          "percentile 99.9, estimator lower");
    CHECK(label("fixed", {{"threshold", "2"}}) == "fixed 2");
    CHECK(label("entropy", {{"bins", "2048"}}) == "entropy 2048 bins");
    CHECK(label("entropy", {{"bins", "2048"}, {"growth", "redistribute"}}) ==
          "entropy 2048 bins, rebin on growth");
    CHECK(label("mse", {{"bins", "512"}, {"growth", "redistribute"}}) == "MSE 512 bins");
    CHECK(label("percentile", {{"alpha", "99.9"}, {"bins", "512"}}) == "percentile 99.9, 512 bins");
    CHECK(label("l2", {}) == "L2");
    CHECK(label("kl-window", {{"bins", "1024"}}) == "KL window 1024 bins");
}

TEST_CASE("a candidate's id is its computation's: recipe, preset and note leave it as it is")
{
    const Choice choice = makeChoice("percentile", {{"alpha", "99.9"}},
                                     SchemeKind::SymmetricRestricted, Granularity::Tensor);
    Choice same = choice;
    same.recipe = "moffett-cnn";
    same.preset = "a preset";
    same.note = "a note";
    CHECK(choiceId(same) == choiceId(choice));
    for (const Choice& other :
         {makeChoice("percentile", {{"alpha", "99.8"}}, SchemeKind::SymmetricRestricted,
                     Granularity::Tensor),
          makeChoice("percentile", {{"alpha", "99.9"}}, SchemeKind::Affine, Granularity::Tensor),
          makeChoice("percentile", {{"alpha", "99.9"}}, SchemeKind::SymmetricRestricted,
                     Granularity::Channel)})
        CHECK(choiceId(other) != choiceId(choice));
}

TEST_CASE(
    "ids of a tensor's candidates differ, and those of the standard ones are the same on each")
{
    for (const Role role : {Role::Activation, Role::Weight, Role::Unknown}) {
        const TensorInfo tensor{.name = "t", .role = role, .shape = {4, 4}, .channelAxis = 0};
        const std::vector<Candidate> candidates = candidatesFor(tensor, Consumers({}), recipes());
        std::set<std::string> ids;
        for (const Candidate& candidate : candidates)
            ids.insert(candidate.id);
        CHECK(ids.size() == candidates.size());
        const std::vector<std::string> standard = {"min-max", "percentile", "entropy",
                                                   "entropy-open", "fixed"};
        for (std::size_t index = 0; index < standard.size(); ++index)
            CHECK(candidates[index].id == standard[index]);
    }
}

TEST_CASE("names that read alike on different tensors are numbered")
{
    const std::vector<CandidateName> others = {{.id = "a", .label = "mse"},
                                               {.id = "b", .label = "mse (2)"}};
    CHECK(toldApart({.id = "c", .label = "mse"}, others).label == "mse (3)");
    CHECK(toldApart({.id = "a", .label = "mse"}, others).label == "mse");
}

TEST_CASE("labels that leave out a rule of growth still tell histograms apart")
{
    std::set<std::string> labels;
    const auto add = [&labels](const std::string& bins, const std::string& growth) {
        labels.insert(shortLabel(makeChoice("mse", {{"bins", bins}, {"growth", growth}},
                                            SchemeKind::SymmetricRestricted, Granularity::Tensor)));
    };
    for (const std::string growth : {"fixed", "redistribute", "double", "as-needed"})
        for (const std::string bins : {"512", "2048", "4096"})
            add(bins, growth);
    CHECK(labels.size() == 12);
    CHECK(labels.contains("MSE"));  // 2048 bins of a fixed range are its defaults
    CHECK(labels.contains("MSE, rebin on growth"));
    CHECK(labels.contains("MSE 512 bins, fixed range"));
    CHECK(labels.contains("MSE 4096 bins"));
}

}  // namespace candidates_test
