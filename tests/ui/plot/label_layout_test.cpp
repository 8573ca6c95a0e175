// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plot/label_layout.h"

#include "tests/support/catch.h"

#include <QLineF>

#include <algorithm>
#include <cmath>
#include <random>

namespace label_layout_test {

using namespace calibscope;

constexpr Range bounds{0.0, 800.0};
constexpr double slant = 10.0;  // height of the strip in which leader lines run aslant

bool overlap(const LineLabel& one, const PlacedLabel& onePlace, const LineLabel& other,
             const PlacedLabel& otherPlace)
{
    return onePlace.row == otherPlace.row && onePlace.left < otherPlace.left + other.width &&
           otherPlace.left < onePlace.left + one.width;
}

/// The leader line of `other` runs down through the label.
bool crosses(const LineLabel& label, const PlacedLabel& place, const PlacedLabel& other)
{
    return other.row > place.row && other.leader > place.left + 1e-9 &&
           other.leader < place.left + label.width - 1e-9;
}

/// Where leader lines run aslant; y is 0 at the feet.
QLineF aslant(const LineLabel& label, const PlacedLabel& place)
{
    return {place.leader, slant, label.line, 0.0};
}

bool meet(const QLineF& one, const QLineF& other)
{
    // Thresholds that coincide share a foot.
    return one.p2() != other.p2() && one.intersects(other, nullptr) == QLineF::BoundedIntersection;
}

std::vector<LineLabel> randomLabels(std::mt19937& random, int count, double widest)
{
    std::uniform_real_distribution<double> line(0.0, 800.0);
    std::uniform_real_distribution<double> width(10.0, widest);
    std::vector<LineLabel> labels;
    for (int label = 0; label < count; ++label)
        labels.push_back({line(random), width(random)});
    if (count > 2)
        labels[1].line = labels[0].line;
    return labels;
}

TEST_CASE("labels that have room stand at their lines, in one row")
{
    const std::vector<LineLabel> labels = {{300.0, 100.0}, {600.0, 120.0}};
    const auto places = placeInBand(labels, bounds, 4);
    REQUIRE(places);
    CHECK((*places)[0].left == 300.0);
    CHECK((*places)[1].left == 600.0);
    CHECK(rowCount(*places) == 1);
}

TEST_CASE("near the right edge a label stands to the left of its line")
{
    const auto places = placeInBand(std::vector<LineLabel>{{780.0, 100.0}}, bounds, 1);
    REQUIRE(places);
    CHECK((*places)[0].left == 680.0);
    CHECK((*places)[0].leader == 780.0);  // its right end
}

TEST_CASE("of lines close together the left one's label stands on top")
{
    const std::vector<LineLabel> labels = {
        {410.0, 200.0}, {400.0, 200.0}, {420.0, 200.0}, {405.0, 200.0}};
    CHECK_FALSE(placeInBand(labels, bounds, 1));
    const auto places = placeInBand(labels, bounds, 4);
    REQUIRE(places);
    CHECK((*places)[1].row > (*places)[3].row);
    CHECK((*places)[1].leader < (*places)[3].leader);
}

TEST_CASE("labels are stacked where lines are close, those with room stay at their lines")
{
    // Two apart at the left, four together at the right: one staircase of six would move the two.
    const std::vector<LineLabel> labels = {{100.0, 120.0}, {300.0, 120.0}, {640.0, 120.0},
                                           {650.0, 120.0}, {655.0, 120.0}, {660.0, 120.0}};
    const auto places = placeInBand(labels, bounds, 6);
    REQUIRE(places);
    CHECK((*places)[0].leader == 100.0);
    CHECK((*places)[1].leader == 300.0);
    for (std::size_t label = 2; label < labels.size(); ++label)
        CHECK(std::abs((*places)[label].leader - labels[label].line) < 40.0);
    CHECK(rowCount(*places) <= 4);
}

TEST_CASE("without labels there are no rows, without rows no labels")
{
    CHECK(placeInBand({}, {0.0, 100.0}, 0)->empty());
    CHECK(rowCount({}) == 0);
    CHECK_FALSE(placeInBand(std::vector<LineLabel>{{1.0, 10.0}}, bounds, 0));
    CHECK_FALSE(placeInBand(std::vector<LineLabel>{{1.0, 900.0}}, bounds, 3));
}

TEST_CASE("labels never overlap nor leave the bounds; leader lines cross no label and no other")
{
    std::mt19937 random(2);
    int placed = 0;
    for (int round = 0; round < 3000; ++round) {
        const auto labels = randomLabels(random, 1 + round % 12, round % 2 == 0 ? 130.0 : 260.0);
        const auto places = placeInBand(labels, bounds, 1 + round % 6);
        if (!places)
            continue;
        ++placed;
        REQUIRE(places->size() == labels.size());
        CHECK(rowCount(*places) <= 1 + round % 6);
        for (std::size_t one = 0; one < labels.size(); ++one) {
            CHECK((*places)[one].left >= bounds.low - 1e-9);
            CHECK((*places)[one].left + labels[one].width <= bounds.high + 1e-9);
            for (std::size_t other = 0; other < labels.size(); ++other)
                if (one != other) {
                    CHECK_FALSE(
                        overlap(labels[one], (*places)[one], labels[other], (*places)[other]));
                    CHECK_FALSE(crosses(labels[one], (*places)[one], (*places)[other]));
                    CHECK_FALSE(meet(aslant(labels[one], (*places)[one]),
                                     aslant(labels[other], (*places)[other])));
                }
        }
    }
    CHECK(placed > 2000);
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

}  // namespace label_layout_test
