// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/tensor_flags.h"

#include "tests/support/catch.h"

namespace tensor_flags_test {

using namespace calibscope;

protocol::Preview previewOf(const Extents& extents)
{
    return {.extents = extents, .sparkline = {}, .sqnrDb = {}, .notes = {}};
}

QString lettersOf(const Extents& extents)
{
    const protocol::Preview preview = previewOf(extents);
    return tensorFlags({.name = "a"}, &preview).letters;
}

TEST_CASE("an ordinary tensor has no flag, read or not")
{
    CHECK(tensorFlags({.name = "a"}, nullptr).isEmpty());
    CHECK(lettersOf({.finite = 2, .min = -1.0, .max = 1.0, .absSecond = 1.0}).isEmpty());
}

TEST_CASE("NaN and infinities are counted in the reason")
{
    const protocol::Preview preview = previewOf({.finite = 2,
                                                 .nan = 1500,
                                                 .positiveInf = 1,
                                                 .negativeInf = 2,
                                                 .max = 1.0,
                                                 .absSecond = 0.75});
    const TensorFlags flags = tensorFlags({.name = "a"}, &preview);
    CHECK(flags.letters == "!");
    REQUIRE(flags.reasons.size() == 1);
    CHECK(flags.reasons[0].startsWith("1\u202f500 NaN and 3 infinite values"));
}

TEST_CASE("constant, all zero and empty data are dead")
{
    CHECK(lettersOf({.finite = 3, .zeros = 3}) == "0");
    CHECK(lettersOf({.finite = 3, .min = 2.0, .max = 2.0}) == "0");
    CHECK(lettersOf({}) == "0");
    CHECK(lettersOf({.nan = 4}) == "!0");
}

TEST_CASE("guessed and unreadable tensors say by which rule and why")
{
    const TensorFlags flags = tensorFlags(
        {.name = "a", .layoutRule = "shape", .isGuess = true, .unreadable = "no plugin"}, nullptr);
    CHECK(flags.letters == "x?");
    REQUIRE(flags.reasons.size() == 2);
    CHECK(flags.reasons[0] == "no plugin");
    CHECK(flags.reasons[1].contains("shape"));
}

TEST_CASE("what the user set is marked, which is not a warning")
{
    const TensorFlags flags = tensorFlags({.name = "a", .role = Role::Weight, .channelAxis = 2},
                                          nullptr, {.isEdited = true});
    CHECK(flags.letters == "*");
    CHECK_FALSE(flags.hasWarning());
    REQUIRE(flags.reasons.size() == 1);
    CHECK(flags.reasons[0].contains("weight, axis 2 as channels"));
    CHECK(tensorFlags({.name = "a", .isGuess = true}, nullptr).hasWarning());
}

TEST_CASE("what float32 can't hold is flagged with the reason")
{
    const TensorFlags flags =
        tensorFlags({.name = "a", .lossy = "Two values are beyond."}, nullptr);
    CHECK(flags.letters == "~");
    CHECK(flags.reasons == QStringList{"Two values are beyond."});
    CHECK(flags.hasWarning());
}

TEST_CASE("an excluded tensor says so, and that is not a warning")
{
    const TensorFlags flags = tensorFlags({.name = "a"}, nullptr, {.isExcluded = true});
    CHECK(flags.letters == QString(u'−'));
    CHECK_FALSE(flags.hasWarning());
    CHECK(tensorFlags({.name = "a", .isGuess = true}, nullptr, {.isExcluded = true}).hasWarning());
}

TEST_CASE("a converged tensor is marked with what it was converged on, which is not a warning")
{
    const TensorFlags flags = tensorFlags({.name = "a"}, nullptr, {.decided = "entropy"});
    CHECK(flags.letters == "✓");
    CHECK(flags.reasons == QStringList{"Accepted: entropy."});
    CHECK_FALSE(flags.hasWarning());
}

TEST_CASE("a lone value that decides the full range is flagged with it and the next one")
{
    const protocol::Preview preview =
        previewOf({.finite = 9, .min = -12.0, .max = 1.0, .absSecond = 1.5});
    const TensorFlags flags = tensorFlags({.name = "a"}, &preview);
    CHECK(flags.letters == "1");
    CHECK(flags.reasons == QStringList{"One value, 12 in magnitude, decides the full range: all "
                                       "others are at most 1.5."});
    CHECK(flags.hasWarning());
}

TEST_CASE("what reading has lost is counted beside what its type loses")
{
    const protocol::Preview preview =
        previewOf({.finite = 2, .min = -1.0, .max = 1.0, .absSecond = 1.0, .underflowed = 2});
    const TensorFlags flags = tensorFlags({.name = "a", .lossy = "float64 is rounded"}, &preview);
    CHECK(flags.letters == "~");
    CHECK(flags.reasons == QStringList{"float64 is rounded", "2 values other than 0 are read as "
                                                             "0: too small for float32."});
}

TEST_CASE("integers of a wide type are lossy if some of them are")
{
    const TensorInfo integers{
        .name = "i", .elementType = ElementKind::Int64, .lossy = "large ones are rounded"};
    CHECK(tensorFlags(integers, nullptr).letters == "~");  // it may be
    const Extents all{.finite = 2, .min = -1.0, .max = 1.0, .absSecond = 1.0};
    const protocol::Preview whole = previewOf(all);
    CHECK(tensorFlags(integers, &whole).letters.isEmpty());
    Extents some = all;
    some.roundedIntegers = 1;
    const protocol::Preview rounded = previewOf(some);
    CHECK(tensorFlags(integers, &rounded).letters == "~");
}

TEST_CASE("samples that would have given another scale are flagged")
{
    const TensorFlags flags = tensorFlags({.name = "a"}, nullptr, {.unconverged = "not converged"});
    CHECK(flags.letters == "±");
    CHECK(flags.reasons == QStringList{"Samples: not converged."});
    CHECK(flags.hasWarning());
}

}  // namespace tensor_flags_test
