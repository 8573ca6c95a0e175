// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/collect/analyse.h"
#include "core/collect/collect_profile.h"
#include "core/collect/propagated.h"
#include "core/recipes/make_choice.h"
#include "tests/support/catch.h"

#include <cmath>
#include <map>
#include <vector>

namespace propagated_test {

using namespace calibscope;
using calibscope::test::containsText;

const std::map<std::string, std::vector<float>> recorded = {
    {"/a", {1.0F, -4.0F, 2.0F, 0.5F}},
    {"/pooled", {2.0F, 1.0F, 0.0F, 0.0F}},
    {"/wide", {3.0F, -8.0F, 0.0F, 0.0F}},
    {"/nothing", {NAN, NAN, NAN, NAN}},
};

ValueSource source(const std::string& path)
{
    return sourceOf({.name = path.substr(1), .path = path, .shape = {4}}, recorded.at(path));
}

Choice minMax(SchemeKind scheme = SchemeKind::SymmetricRestricted)
{
    return makeChoice("min-max", {}, scheme, Granularity::Tensor);
}

RangeSource takenFrom(const std::string& path, const Choice& choice)
{
    return {.tensor = path.substr(1),
            .path = path,
            .calibrator = choice.calibrator,
            .settings = choice.settings,
            .scheme = choice.scheme};
}

Outcome analysed(const std::vector<std::string>& ends,
                 SchemeKind scheme = SchemeKind::SymmetricRestricted)
{
    Choice choice = minMax(scheme);
    for (const std::string& end : ends)
        choice.rangeFrom.push_back(takenFrom(end, choice));
    const ValueSource values = source("/a");
    TensorProfile profile = collectProfile(values);
    AnalyseOptions options;
    options.otherTensor = source;
    return analyse(values, profile, std::vector<Choice>{choice}, options).front();
}

TEST_CASE("a tensor takes the range of its consumer, and its errors are those under that range")
{
    const Outcome outcome = analysed({"/pooled"});
    CHECK(outcome.choice.calibrator == "min-max");
    CHECK(outcome.whole.clip.threshold.value() == 2.0);
    CHECK(outcome.whole.quantizer.scale == 2.0 / 127.0);
    CHECK(outcome.whole.metric("clipped_share").value() == 0.25);  // -4 of four values
    CHECK(outcome.whole.notes ==
          std::vector<std::string>{"propagated from pooled",
                                   "clips more than its own range from -4 to 4 would"});
}

TEST_CASE("of several consumers the largest range is taken, and it may be wider than the own one")
{
    const Outcome outcome = analysed({"/pooled", "/wide"});
    CHECK(outcome.whole.clip.threshold.value() == 8.0);
    CHECK(outcome.whole.notes.front() == "propagated from pooled, wide");
    for (const std::string& note : outcome.whole.notes)
        CHECK_THAT(note, !containsText("clips more"));
}

TEST_CASE("of affine ranges the one that holds all is taken")
{
    const Outcome outcome = analysed({"/pooled", "/wide"}, SchemeKind::Affine);
    REQUIRE(outcome.whole.clip.range);
    CHECK(outcome.whole.clip.range->low == -8.0);
    CHECK(outcome.whole.clip.range->high == 3.0);
}

TEST_CASE("without any range to take a tensor keeps its own and says so")
{
    const Outcome outcome = analysed({"/nothing"});
    CHECK(outcome.whole.clip.threshold.value() == 4.0);
    CHECK(outcome.whole.notes ==
          std::vector<std::string>{"one value decides: no other has more than half its magnitude",
                                   "no range to take from nothing: its own is kept"});
}

TEST_CASE("a propagated choice beside others changes none of them")
{
    Choice propagated = minMax();
    propagated.rangeFrom = {takenFrom("/wide", minMax())};
    const ValueSource values = source("/a");
    TensorProfile profile = collectProfile(values);
    AnalyseOptions options;
    options.otherTensor = source;
    const auto outcomes =
        analyse(values, profile, std::vector<Choice>{minMax(), propagated, minMax()}, options);
    REQUIRE(outcomes.size() == 3);
    CHECK(outcomes[0].whole.clip.threshold.value() == 4.0);
    CHECK(outcomes[1].whole.clip.threshold.value() == 8.0);
    CHECK(outcomes[2].whole.clip.threshold.value() == 4.0);
}

}  // namespace propagated_test
