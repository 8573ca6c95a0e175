// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/methods.h"

#include "core/protocol/codec.h"
#include "core/recipes/make_choice.h"
#include "tests/engine/fake_dump.h"
#include "tests/support/catch.h"

#include <numeric>

namespace methods_test {

using namespace calibscope;
using namespace calibscope::engine;
using namespace calibscope::protocol;
using calibscope::test::Approx;
using calibscope::test::containsText;
using calibscope::test::FakeDumps;

Choice minMax()
{
    Choice choice =
        makeChoice("min-max", {{"bits", "4"}}, SchemeKind::SymmetricFull, Granularity::Channel);
    choice.recipe = "vendor";
    return choice;
}

TEST_CASE("opening tells the dump's tensors and is done once for an unchanged file")
{
    FakeDumps dumps;
    Methods methods(dumps.parts(), 1 << 20);
    const DumpOpened opened = methods.answer(OpenRequest{"a.h5"});
    CHECK(opened.identity.path == "a.h5");
    CHECK(opened.attributes.at("model") == "fake");
    REQUIRE(opened.tensors.size() == 4);
    CHECK(opened.tensors[2].name == "endless");
    (void)methods.answer(OpenRequest{"a.h5"});
    CHECK(dumps.opens == 1);
    dumps.modified = "now";
    CHECK(methods.answer(OpenRequest{"a.h5"}).identity.modified == "now");
    CHECK(dumps.opens == 2);
}

TEST_CASE("many dumps may be opened in turn")
{
    FakeDumps dumps;
    Methods methods(dumps.parts(), 1 << 20);
    for (int file = 0; file < 20; ++file)
        (void)methods.answer(OpenRequest{"file" + std::to_string(file)});
    CHECK(dumps.opens == 20);
    (void)methods.answer(OpenRequest{"file19"});
    CHECK(dumps.opens == 20);
    (void)methods.answer(OpenRequest{"file0"});
    CHECK(dumps.opens == 21);
}

TEST_CASE("a file that is missing, also one that vanished, is an error")
{
    FakeDumps dumps;
    Methods methods(dumps.parts(), 1 << 20);
    CHECK_THROWS_WITH(methods.answer(OpenRequest{"missing.h5"}), containsText("no such file"));
}

TEST_CASE("a view holds the profile with its sketch, the histograms asked for and the outcomes")
{
    FakeDumps dumps;
    Methods methods(dumps.parts(), 1 << 20);
    const HistogramSpec spec{"fixed", 3, Domain::Magnitude};
    const TensorView view = methods.answer(ViewRequest{.tensor = {.file = "a.h5", .index = 0},
                                                       .histograms = {spec},
                                                       .choices = {minMax(), minMax()}},
                                           {});
    CHECK(view.profile.info.name == "few");
    CHECK(view.profile.extents().min == -2.0);
    CHECK(view.profile.extents().max == 3.0);
    CHECK(view.profile.sketch.count() == 4);
    REQUIRE(view.profile.histograms.size() == 1);
    // |x| is 1, 2, 3, 0 in bins [0, 1), [1, 2), [2, 3].
    CHECK(view.profile.histograms[0].counts == std::vector<std::uint64_t>{1, 1, 2});
    REQUIRE(view.outcomes.size() == 2);
    CHECK(view.outcomes[0].file == "a.h5");
    CHECK(view.outcomes[0].tensor == "few");
    CHECK(view.outcomes[0].choice.isSameComputation(minMax()));
    CHECK(view.outcomes[0].choice.recipe == "vendor");
}

TEST_CASE("a view offers another type for words that look like it")
{
    FakeDumps dumps;
    EngineParts parts = dumps.parts();
    std::vector<float> words(1000, 16256.0F);   // 1 as bfloat16
    std::fill_n(words.begin(), 500, 49184.0F);  // -2.5
    parts.open = [&](const std::string& path, bool, const Progress&) {
        const TensorInfo info{.name = "words",
                              .elementType = ElementKind::Uint16,
                              .otherTypes = {ElementKind::Bfloat16},
                              .shape = {words.size()}};
        OpenDump dump{.identity = dumps.identity(path), .tensors = {info}};
        dump.source = [&words](const TensorInfo& understood, std::uint64_t) {
            return sourceOf(understood, words);
        };
        return std::make_shared<const OpenDump>(std::move(dump));
    };
    Methods methods(parts, 1 << 20);
    const TensorView view = methods.answer(ViewRequest{.tensor = {.file = "a.h5", .index = 0}}, {});
    REQUIRE(view.typeOffer);
    CHECK(view.typeOffer->elementType == ElementKind::Bfloat16);
    CHECK_THAT(view.typeOffer->reason, containsText("read as bfloat16, 100.0 %"));
    const TensorView read = methods.answer(
        ViewRequest{.tensor = {.file = "a.h5",
                               .index = 0,
                               .layoutOverride = {.elementType = ElementKind::Bfloat16}}},
        {});
    CHECK_FALSE(read.typeOffer);
}

TEST_CASE("a second view reads nothing, and another histogram only what is missing")
{
    FakeDumps dumps;
    Methods methods(dumps.parts(), 1 << 20);
    const HistogramSpec three{"fixed", 3, Domain::Magnitude};
    const HistogramSpec five{"fixed", 5, Domain::Signed};
    (void)methods.answer(ViewRequest{.tensor = {.file = "a.h5"}, .histograms = {three}}, {});
    const int passes = dumps.passes;
    (void)methods.answer(ViewRequest{.tensor = {.file = "a.h5"}, .histograms = {three}}, {});
    CHECK(dumps.passes == passes);
    const TensorView both =
        methods.answer(ViewRequest{.tensor = {.file = "a.h5"}, .histograms = {five}}, {});
    CHECK(dumps.passes == passes + 1);
    REQUIRE(both.profile.histograms.size() == 1);  // the first one was not asked for
    CHECK(both.profile.histograms[0].spec == five);
}

TEST_CASE("a tensor that is understood anew is read anew, and kept beside the former")
{
    FakeDumps dumps;
    Methods methods(dumps.parts(), 1 << 20);
    CHECK(methods.answer(ViewRequest{.tensor = {.file = "a.h5"}}, {}).profile.channels.empty());
    const TensorView four = methods.answer(
        ViewRequest{.tensor = {.file = "a.h5", .layoutOverride = {.channelAxis = 0}}}, {});
    REQUIRE(four.profile.channels.size() == 4);  // 1, -2, 3, 0
    CHECK(four.profile.channels[1].min == -2.0);
    CHECK(four.profile.info.channelAxis == 0);
    const int passes = dumps.passes;
    CHECK(methods.answer(ViewRequest{.tensor = {.file = "a.h5"}}, {}).profile.channels.empty());
    CHECK(dumps.passes == passes);
    CHECK_THROWS_WITH(
        methods.answer(
            ViewRequest{.tensor = {.file = "a.h5", .layoutOverride = {.channelAxis = 1}}}, {}),
        containsText("few: there is no axis 1; its shape is 4"));
}

TEST_CASE("of a changed file nothing is answered until it is opened again")
{
    FakeDumps dumps;
    Methods methods(dumps.parts(), 1 << 20);
    (void)methods.answer(ViewRequest{.tensor = {.file = "a.h5"}}, {});
    const int passes = dumps.passes;
    dumps.modified = "now";
    CHECK_THROWS_WITH(methods.answer(ViewRequest{.tensor = {.file = "a.h5"}}, {}),
                      "a.h5: was changed since it was opened; open it again");
    CHECK(dumps.passes == passes);
    (void)methods.answer(OpenRequest{"a.h5"});
    (void)methods.answer(ViewRequest{.tensor = {.file = "a.h5"}}, {});
    CHECK(dumps.passes == passes + 1);
}

TEST_CASE("a glance holds extents, a sparkline and the SQNR of the choice")
{
    FakeDumps dumps;
    Methods methods(dumps.parts(), 1 << 20);
    const Preview with = methods.answer(
        PreviewRequest{.tensor = {.file = "a.h5", .index = 0}, .choice = minMax()}, {});
    CHECK(with.extents.finite == 4);
    CHECK(with.sparkline.size() == 32);
    CHECK(with.sqnrDb == 41.5);
    CHECK(with.notes == std::vector<std::string>{"a note"});
    const Preview without =
        methods.answer(PreviewRequest{.tensor = {.file = "a.h5", .index = 0}, .choice = {}}, {});
    CHECK_FALSE(without.sqnrDb);
    CHECK(without.notes.empty());
}

TEST_CASE("a tensor of two dumps is compared, also one with itself")
{
    FakeDumps dumps;
    Methods methods(dumps.parts(), 1 << 20);
    const Choice whole = makeChoice("min-max", {}, SchemeKind::SymmetricFull, Granularity::Tensor);
    for (const char* other : {"b.h5", "a.h5"}) {
        const Compared compared = methods.answer(
            CompareRequest{.a = {.file = "a.h5"}, .b = {.file = other}, .choices = {whole}}, {});
        CHECK(compared.a.finite == 4);
        CHECK(compared.b.finite == 4);
        REQUIRE(compared.comparison.drift);
        CHECK(compared.comparison.drift->earthMover == 0.0);
        REQUIRE(compared.comparison.choices.size() == 1);
        CHECK(compared.comparison.choices[0].a.file == "a.h5");
        CHECK(compared.comparison.choices[0].b.file == other);
        CHECK(compared.comparison.choices[0].scaleRatio() == 1.0);
        // Equal values fill the same columns alike, all four of them.
        CHECK(compared.countsA.size() == 32);
        CHECK(compared.countsA == compared.countsB);
        CHECK(std::accumulate(compared.countsA.begin(), compared.countsA.end(), 0.0) ==
              Approx(4.0));
    }
    CHECK_THROWS_WITH(
        methods.answer(CompareRequest{.a = {.file = "a.h5"}, .b = {.file = "a.h5", .index = 9}},
                       {}),
        containsText("there is no tensor 9"));
}

TEST_CASE("unreadable and unknown tensors, methods and settings are errors with a sentence")
{
    FakeDumps dumps;
    Methods methods(dumps.parts(), 1 << 20);
    CHECK_THROWS_WITH(methods.answer(ViewRequest{.tensor = {.file = "a.h5", .index = 1}}, {}),
                      containsText("its filter is missing"));
    CHECK_THROWS_WITH(methods.answer(ViewRequest{.tensor = {.file = "a.h5", .index = 4}}, {}),
                      containsText("a.h5: there is no tensor 4"));
    Json view = encode(ViewRequest{.tensor = {.file = "a.h5"}, .choices = {minMax()}});
    view["choices"][0]["settings"]["cheese"] = "brie";
    CHECK_THROWS_WITH((void)methods.call("view", view, {}), containsText("no parameter cheese"));
    view["choices"][0]["calibrator"] = "magic";
    CHECK_THROWS_WITH((void)methods.call("view", view, {}), containsText("no calibrator magic"));
    CHECK_THROWS_WITH((void)methods.call("sing", Json::object(), {}),
                      containsText("no method sing"));
    CHECK_THROWS_WITH((void)methods.call("view", Json::object(), {}), containsText("is missing"));
}

}  // namespace methods_test
