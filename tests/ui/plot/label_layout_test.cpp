#include "ui/plot/label_layout.h"

#include "tests/support/catch.h"

#include <algorithm>
#include <random>

using namespace calibscope;

namespace {

bool overlap(const LineLabel& one, const PlacedLabel& onePlace, const LineLabel& other,
             const PlacedLabel& otherPlace)
{
    return onePlace.row == otherPlace.row && onePlace.left < otherPlace.left + other.width &&
           otherPlace.left < onePlace.left + one.width;
}

constexpr double touching = 1e-6;  // an edge on a line, but for rounding, is not through it

/// The line of `other` runs through the label.
bool crosses(const LineLabel& label, const PlacedLabel& place, const LineLabel& other,
             const PlacedLabel& otherPlace)
{
    return otherPlace.row >= place.row && other.line > place.left + touching &&
           other.line < place.left + label.width - touching;
}

std::vector<LineLabel> randomLabels(std::mt19937& random, int count, double widest)
{
    std::uniform_real_distribution<double> line(0.0, 800.0);
    std::uniform_real_distribution<double> width(10.0, widest);
    std::vector<LineLabel> labels;
    for (int label = 0; label < count; ++label)
        labels.push_back({line(random), width(random)});
    // Thresholds like to coincide.
    if (count > 2)
        labels[1].line = labels[0].line;
    return labels;
}

}  // namespace

TEST_CASE("labels stand left of their lines, side by side in one row where there is room")
{
    const std::vector<LineLabel> labels = {{300.0, 100.0}, {600.0, 120.0}};
    const auto places = staggerLabels(labels, {0.0, 800.0});
    CHECK(places[0].left == 200.0);
    CHECK(places[1].left == 480.0);
    CHECK(rowCount(places) == 1);
}

TEST_CASE("of labels close together the right one stands higher")
{
    const std::vector<LineLabel> labels = {{700.0, 100.0}, {690.0, 100.0}, {710.0, 100.0}};
    const auto places = staggerLabels(labels, {0.0, 800.0});
    CHECK(places[0].row == 1);
    CHECK(places[1].row == 0);
    CHECK(places[2].row == 2);
}

TEST_CASE("near the left edge a label stands right of its line")
{
    const auto places = staggerLabels(std::vector<LineLabel>{{20.0, 100.0}}, {0.0, 800.0});
    CHECK(places[0].left == 20.0);
}

TEST_CASE("without labels there are no rows")
{
    CHECK(staggerLabels({}, {0.0, 100.0}).empty());
    CHECK(rowCount({}) == 0);
}

TEST_CASE("labels that fit side by side never overlap, stay in bounds and are not crossed")
{
    std::mt19937 random(2);
    for (int round = 0; round < 3000; ++round) {
        const auto labels = randomLabels(random, 1 + round % 6, 130.0);
        const auto places = staggerLabels(labels, {0.0, 800.0});
        REQUIRE(places.size() == labels.size());
        for (std::size_t one = 0; one < labels.size(); ++one) {
            CHECK(places[one].left >= 0.0);
            CHECK(places[one].left + labels[one].width <= 800.0 + 1e-9);
            for (std::size_t other = 0; other < labels.size(); ++other)
                if (one != other) {
                    CHECK_FALSE(overlap(labels[one], places[one], labels[other], places[other]));
                    CHECK_FALSE(crosses(labels[one], places[one], labels[other], places[other]));
                }
        }
    }
}

TEST_CASE("labels nearly as wide as the bounds still never overlap")
{
    std::mt19937 random(9);
    for (int round = 0; round < 1000; ++round) {
        const auto labels = randomLabels(random, 2 + round % 6, 790.0);
        const auto places = staggerLabels(labels, {0.0, 800.0});
        for (std::size_t one = 0; one < labels.size(); ++one)
            for (std::size_t other = 0; other < one; ++other)
                CHECK_FALSE(overlap(labels[one], places[one], labels[other], places[other]));
    }
}

TEST_CASE("of labels that would overlap the one of higher priority stays")
{
    const std::vector<double> centres = {0.0, 10.0, 20.0};
    const std::vector<double> sizes = {12.0, 12.0, 12.0};
    const std::vector<std::size_t> fromTheMiddle = {1, 0, 2};
    const std::vector<std::size_t> inOrder = {0, 1, 2};
    CHECK(withoutOverlaps(centres, sizes, fromTheMiddle, 0.0) ==
          std::vector<bool>{false, true, false});
    CHECK(withoutOverlaps(centres, sizes, inOrder, 0.0) == std::vector<bool>{true, false, true});
    CHECK(withoutOverlaps(centres, sizes, inOrder, 9.0) == std::vector<bool>{true, false, false});
}
