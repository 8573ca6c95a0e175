// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/tensor_filter.h"

#include "tests/support/catch.h"

namespace tensor_filter_test {

using namespace calibscope;
using calibscope::test::containsText;

const TensorInfo swish{.name = "swish_13.tmp_0",
                       .role = Role::Activation,
                       .elementType = ElementKind::Float32,
                       .shape = {8, 40, 240},
                       .op = "Mul"};
const TensorInfo kernel{.name = "conv1/Kernel:0",
                        .role = Role::Weight,
                        .elementType = ElementKind::Float16,
                        .shape = {16, 3, 3, 3},
                        .op = "Conv",
                        .isGuess = true};

/// 100 values: 40 of 90 finite ones are zero, 10 NaN; 28.9 dB.
protocol::Preview somePreview()
{
    return {.extents =
                {.finite = 90, .zeros = 40, .nan = 10, .min = -0.25, .max = 3.5, .absSecond = 3.0},
            .sparkline = {},
            .sqnrDb = 28.9,
            .notes = {}};
}

bool matches(const char* query, const TensorInfo& tensor,
             const protocol::Preview* preview = nullptr, bool isFlagged = false)
{
    const TensorFilter filter(query);
    CHECK(filter.problem().empty());
    return filter.matches({.tensor = tensor, .preview = preview, .isFlagged = isFlagged});
}

std::string problemOf(const char* query)
{
    return TensorFilter(query).problem();
}

TEST_CASE("an empty query matches all")
{
    CHECK(TensorFilter().matchesAll());
    CHECK(TensorFilter("  ").matchesAll());
    CHECK(matches("", swish));
}

TEST_CASE("a bare word is a part of the name in any case")
{
    CHECK(matches("SWISH", swish));
    CHECK(matches("kernel", kernel));
    CHECK_FALSE(matches("swish", kernel));
    CHECK(matches("kernel:0", kernel));  // a colon in a name is not a key
}

TEST_CASE("all terms must hold, and a minus turns one round")
{
    CHECK(matches("swish tmp", swish));
    CHECK_FALSE(matches("swish kernel", swish));
    CHECK_FALSE(matches("-swish", swish));
    CHECK(matches("-swish -op:Mul", kernel));
}

TEST_CASE("quotation marks hold blanks together")
{
    const TensorInfo spaced{.name = "two words"};
    CHECK(matches("\"o w\"", spaced));
    CHECK_FALSE(matches("\"o  w\"", spaced));
}

TEST_CASE("keys compare whole words")
{
    CHECK(matches("role:weight", kernel));
    CHECK(matches("kind:weight", kernel));  // as it was called at first
    CHECK_FALSE(matches("kind:weight", swish));
    CHECK(matches("op:conv", kernel));
    CHECK_FALSE(matches("op:con", kernel));
    CHECK(matches("type:float16", kernel));
    CHECK(matches("is:guess", kernel));
    CHECK_FALSE(matches("is:guess", swish));
    CHECK(matches("is:flagged", swish, nullptr, true));
    CHECK_FALSE(matches("is:unreadable", swish));
}

TEST_CASE("numbers are compared as written")
{
    const protocol::Preview preview = somePreview();
    CHECK(matches("sqnr<28.91", swish, &preview));
    CHECK_FALSE(matches("sqnr<28.9", swish, &preview));
    CHECK(matches("sqnr<=28.9", swish, &preview));
    CHECK(matches("sqnr>=28.9", swish, &preview));
    CHECK(matches("nan=10", swish, &preview));
    CHECK(matches("nan>0", swish, &preview));
    CHECK_FALSE(matches("inf>0", swish, &preview));
    CHECK(matches("zeros=40", swish, &preview));  // percent of all 100 values
    CHECK(matches("max>3 min>-0.3", swish, &preview));
    CHECK(matches("values=76800", swish));
}

TEST_CASE("blanks around a comparison part nothing")
{
    const protocol::Preview preview = somePreview();
    for (const char* query : {"sqnr < 28.91", "sqnr <28.91", "sqnr< 28.91", "SQNR  <=  28.9"}) {
        CAPTURE(query);
        CHECK(TensorFilter(query).problem().empty());
        CHECK(matches(query, swish, &preview));
    }
    CHECK_FALSE(matches("sqnr < 28.9", swish, &preview));
    CHECK(matches("-sqnr < 28.9", swish, &preview));
    CHECK(matches("sqnr < 28.91 nan > 0 swish", swish, &preview));
    CHECK_FALSE(matches("sqnr < 28.91 nan > 0 conv", swish, &preview));
    CHECK_FALSE(TensorFilter("sqnr <").problem().empty());
    CHECK_FALSE(matches("swish < 3", swish, &preview));  // words of a name
}

TEST_CASE("a number that is not known yet matches neither way")
{
    CHECK_FALSE(matches("sqnr<30", swish));
    CHECK_FALSE(matches("-sqnr<30", swish));
    const protocol::Preview preview = somePreview();
    CHECK_FALSE(matches("-sqnr<30", swish, &preview));
    CHECK(matches("-sqnr<20", swish, &preview));
}

TEST_CASE("a query tells whether later glances matter")
{
    CHECK(TensorFilter("sqnr<30").needsPreviews());
    CHECK(TensorFilter("is:flagged").needsPreviews());
    CHECK_FALSE(TensorFilter("swish kind:weight values>10").needsPreviews());
}

TEST_CASE("a term that is not understood is left out and explained")
{
    CHECK_THAT(problemOf("sqr<30"), containsText("numeric key \"sqr\"; available: sqnr, nan"));
    CHECK_THAT(problemOf("sqnr<"), containsText("as in sqnr<30"));
    CHECK_THAT(problemOf("sqnr<thirty"), containsText("as in sqnr<30"));
    CHECK_THAT(problemOf("sqnr<>30"), containsText("as in sqnr<30"));
    CHECK_THAT(problemOf("kind:king"), containsText("activation, weight, bias or unknown"));
    CHECK_THAT(problemOf("is:odd"), containsText("flagged, unreadable"));
    const TensorFilter half("swish kind:king");
    CHECK(half.matches({.tensor = swish}));
    CHECK_FALSE(half.matches({.tensor = kernel}));
}

TEST_CASE("what was set in the window, what float32 can't hold, and the rule can be asked for")
{
    TensorInfo tensor{.name = "a",
                      .elementType = ElementKind::Bfloat16,
                      .storedType = "uint16",
                      .lossy = "some values are rounded",
                      .layoutRule = "shapes"};
    CHECK(TensorFilter("is:edited").matches({.tensor = tensor, .isEdited = true}));
    CHECK_FALSE(matches("is:edited", tensor));
    CHECK(matches("is:lossy", tensor));
    CHECK_FALSE(matches("is:lossy", swish));
    CHECK(matches("rule:Shapes", tensor));
    CHECK_FALSE(matches("rule:shape", tensor));
    CHECK(matches("type:bfloat16", tensor));
    CHECK(matches("type:uint16", tensor));
    CHECK_FALSE(matches("type:float16", tensor));
}

TEST_CASE("words that ask for what was done in the window are told")
{
    for (const char* query : {"is:flagged", "gain>1 is:heavy-tail", "-is:unreadable", "swish"})
        CHECK(TensorFilter(query).ofWindow().empty());
    CHECK(TensorFilter("sqnr<30 is:pinned").ofWindow() == "is:pinned");
    CHECK(TensorFilter("-is:excluded").ofWindow() == "is:excluded");
    CHECK(TensorFilter("is:edited").ofWindow() == "is:edited");
    CHECK(TensorFilter("decided:yes delta<0").ofWindow() == "decided:");
    CHECK(TensorFilter("delta<0").ofWindow() == "delta");
}

TEST_CASE("settled tensors are found, and those that are not")
{
    const FilterRow settled{.tensor = swish, .isDecided = true};
    const FilterRow open{.tensor = kernel};
    CHECK(TensorFilter("accepted:yes").matches(settled));
    CHECK(TensorFilter("accepted:yes accepted<30").ofWindow() == "accepted:");
    CHECK(TensorFilter("decided:yes").matches(settled));  // as it was called at first
    CHECK_FALSE(TensorFilter("decided:yes").matches(open));
    CHECK(TensorFilter("decided:no").matches(open));
    CHECK(TensorFilter("-decided:no").matches(settled));
    CHECK(problemOf("accepted:") == "accepted: needs yes, no or a part of an accepted calibrator's "
                                    "name, as in accepted:entropy");
}

TEST_CASE("findings of the diagnosis filter, by is and by diagnosis")
{
    protocol::Preview preview = somePreview();
    preview.findings = {{FindingKind::HeavyTail, 5.6, "heavy tail"},
                        {FindingKind::RoundingBound, 0.98, "rounding-bound"}};
    CHECK(TensorFilter("is:heavy-tail").needsPreviews());
    CHECK(matches("is:heavy-tail", swish, &preview));
    CHECK(matches("diagnosis:rounding-bound", swish, &preview));
    CHECK_FALSE(matches("is:clipping-bound", swish, &preview));
    CHECK(matches("-is:clipping-bound is:Heavy-Tail", swish, &preview));
    CHECK_FALSE(matches("is:heavy-tail", swish));  // not known yet
    CHECK_FALSE(matches("diagnosis:none", swish, &preview));
    preview.findings.clear();
    CHECK(matches("diagnosis:none", swish, &preview));
    CHECK_FALSE(matches("diagnosis:none", swish));
    for (const FindingKind kind : findingKinds())
        CHECK(problemOf(("is:" + std::string(findingId(kind))).c_str()).empty());
    CHECK_THAT(problemOf("diagnosis:odd"), containsText("heavy-tail, "));
    CHECK_THAT(problemOf("is:odd"), containsText("clipping-bound"));
}

TEST_CASE("what the best candidate gains is a number, asked for only where it is looked at")
{
    CHECK(TensorFilter("gain>3").needsGains());
    CHECK_FALSE(TensorFilter("sqnr<30").needsGains());
    const TensorFilter filter("gain>3");
    CHECK(filter.matches({.tensor = swish, .gainDb = 4.8}));
    CHECK_FALSE(filter.matches({.tensor = swish, .gainDb = 3.0}));
    CHECK_FALSE(filter.matches({.tensor = swish}));
}

TEST_CASE("biases are not work that is left to decide, unless they are asked for")
{
    const TensorInfo bias{.name = "conv1.bias", .role = Role::Bias};
    CHECK_FALSE(matches("decided:no", bias));
    CHECK_FALSE(matches("-decided:yes", bias));
    CHECK_FALSE(matches("conv1 decided:no", bias));
    CHECK(matches("decided:no", kernel));
    CHECK(matches("-decided:yes", kernel));
    CHECK(matches("decided:no role:bias", bias));
    CHECK(matches("role:bias decided:no", bias));
    CHECK(matches("decided:no -role:weight", bias));
    CHECK(matches("-decided:no", bias) == false);  // nothing was accepted for it
    CHECK(matches("conv1", bias));
}

}  // namespace tensor_filter_test
