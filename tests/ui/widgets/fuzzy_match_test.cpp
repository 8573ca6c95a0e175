#include "ui/widgets/fuzzy_match.h"

#include "tests/support/catch.h"

using namespace calibscope;

namespace {

std::optional<int> score(const char* query, const char* text)
{
    return fuzzyScore(QString(query), QString(text));
}

}  // namespace

TEST_CASE("letters in order with gaps are found, in another order not")
{
    CHECK(score("l3c2", "layer3/conv2"));
    CHECK_FALSE(score("2cl", "layer3/conv2"));
    CHECK_FALSE(score("layerx", "layer3/conv2"));
}

TEST_CASE("words may stand in any order")
{
    CHECK(score("conv2 layer3", "layer3/conv2"));
    CHECK_FALSE(score("conv2 layer4", "layer3/conv2"));
}

TEST_CASE("an empty query takes every text, the short ones first")
{
    REQUIRE(score("", "a"));
    CHECK(*score("", "a") > *score("", "long name"));
}

TEST_CASE("a whole part is better than letters with gaps")
{
    CHECK(*score("conv", "layer9/conv1") > *score("conv", "columns/none/vector"));
}

TEST_CASE("the start of a word is better than its middle")
{
    CHECK(*score("log", "view log count") > *score("log", "catalogue view"));
    CHECK(*score("fc", "block/fc") > *score("fc", "selfcheck"));
}

TEST_CASE("of two texts with the part the shorter one is better")
{
    CHECK(*score("conv1", "conv1") > *score("conv1", "conv1.weight"));
}
