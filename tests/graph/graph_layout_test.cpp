// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/graph/graph_layout.h"

#include "tests/support/catch.h"

#include <cmath>
#include <map>
#include <random>

namespace graph_layout_test {

using namespace calibscope;

/// Lines go down, row by row where they have bends; nodes of a row keep their distance; all lies
/// within the size.
void checkDrawn(const GraphInputs& inputs, const GraphLayout& layout)
{
    REQUIRE(layout.nodes.size() == inputs.size());
    std::map<double, std::vector<double>> rows;
    for (const GraphPoint& node : layout.nodes) {
        rows[node.y].push_back(node.x);
        CHECK(node.x >= 0.5 - 1e-9);
        CHECK(node.x <= layout.width - 0.5 + 1e-9);
        CHECK(node.y >= 0.0);
        CHECK(node.y <= layout.height - 1.0);
    }
    for (auto& [row, nodes] : rows) {
        std::ranges::sort(nodes);
        for (std::size_t next = 1; next < nodes.size(); ++next)
            CHECK(nodes[next] - nodes[next - 1] >= 1.0 - 1e-9);
    }
    std::size_t wires = 0;
    for (const auto& list : inputs)
        wires += list.size();
    REQUIRE(layout.wires.size() == wires);
    for (const GraphWire& wire : layout.wires) {
        if (wire.from > wire.to) {
            CHECK(wire.bends.empty());
            continue;
        }
        double y = layout.nodes[wire.from].y;
        for (const GraphPoint& bend : wire.bends)
            CHECK(bend.y == (y += 1.0));
        if (wire.bends.empty())
            CHECK(layout.nodes[wire.to].y > y);
        else
            CHECK(layout.nodes[wire.to].y == y + 1.0);
    }
}

/// A chain, each node of which also takes one up to 6 before it.
GraphInputs chainWithSkips(std::size_t nodes)
{
    std::mt19937 random(7);
    GraphInputs inputs(nodes);
    for (std::size_t node = 1; node < nodes; ++node) {
        inputs[node] = {node - 1};
        if (node > 6 && random() % 2 == 0)
            inputs[node].push_back(node - 2 - random() % 5);
    }
    return inputs;
}

TEST_CASE("a diamond is symmetric: the two between stand at equal distances from its ends")
{
    const GraphInputs diamond{{}, {0}, {0}, {1, 2}};
    const GraphLayout layout = layoutGraph(diamond);
    const std::vector<GraphPoint> expected{{1.0, 0.0}, {0.5, 1.0}, {1.5, 1.0}, {1.0, 2.0}};
    REQUIRE(layout.nodes.size() == 4);
    for (std::size_t node = 0; node < 4; ++node) {
        CHECK(layout.nodes[node].x == test::Approx(expected[node].x));
        CHECK(layout.nodes[node].y == expected[node].y);
    }
    CHECK(layout.width == test::Approx(2.0));
    CHECK(layout.height == 3.0);
    checkDrawn(diamond, layout);
}

TEST_CASE("lines that would cross in the order of the nodes do not")
{
    // 0 and 1 above 2 and 3, each over the other's.
    const GraphLayout layout = layoutGraph({{}, {}, {1}, {0}, {2, 3}});
    const auto& at = layout.nodes;
    CHECK((at[0].x < at[1].x) == (at[3].x < at[2].x));
}

TEST_CASE("a skip has bends in each row between, away from the nodes that it passes")
{
    const GraphInputs inputs{{}, {0}, {1}, {2}, {3, 0}};
    const GraphLayout layout = layoutGraph(inputs);
    checkDrawn(inputs, layout);
    const GraphWire& skip = layout.wires.back();
    REQUIRE(skip.bends.size() == 3);
    for (const GraphPoint& bend : skip.bends)
        CHECK(std::abs(bend.x - layout.nodes[static_cast<std::size_t>(bend.y)].x) >= 0.7 - 1e-9);
}

TEST_CASE("what takes nothing stands right above its first user")
{
    const GraphLayout layout = layoutGraph({{}, {0}, {1}, {}, {2, 3}});
    CHECK(layout.nodes[3].y == 2.0);
    CHECK(layout.nodes[4].y == 3.0);
}

TEST_CASE("parts stand side by side, as wide as asked for, and do not mix")
{
    GraphInputs inputs;
    for (std::size_t part = 0; part < 12; ++part) {
        inputs.emplace_back();
        inputs.push_back({2 * part});
    }
    const GraphLayout layout = layoutGraph(inputs, 1.0);
    checkDrawn(inputs, layout);
    CHECK(layout.width == 6.0);   // the root of 12 parts of 1 x 3 rows, one of them free
    CHECK(layout.height == 5.0);  // two lines of parts, a row free between them
    for (std::size_t part = 0; part < 12; ++part)
        CHECK(layout.nodes[2 * part].x == layout.nodes[2 * part + 1].x);
}

TEST_CASE("circles, nothing, and one node have a layout")
{
    const GraphInputs circle{{2}, {0}, {1}, {2}};
    checkDrawn(circle, layoutGraph(circle));
    CHECK(layoutGraph({}) == GraphLayout());
    const GraphLayout alone = layoutGraph({{}});
    CHECK(alone.nodes == std::vector<GraphPoint>{{0.5, 0.0}});
    CHECK(alone.width == 1.0);
    CHECK(alone.height == 1.0);
}

TEST_CASE("layouts of large graphs keep the rules, and are the same each time")
{
    const GraphInputs chain = chainWithSkips(5000);
    const GraphLayout layout = layoutGraph(chain);
    checkDrawn(chain, layout);
    CHECK(layout == layoutGraph(chain));
    CHECK(layout.width < 12.0);
}

TEST_CASE("bends of lines over very many rows are bounded")
{
    GraphInputs inputs = chainWithSkips(1500);
    for (std::size_t node = 0; node + 1 < inputs.size(); ++node)
        if (std::ranges::find(inputs.back(), node) == inputs.back().end())
            inputs.back().push_back(node);  // it takes all before it
    const GraphLayout layout = layoutGraph(inputs);
    checkDrawn(inputs, layout);
    std::size_t straight = 0;
    for (const GraphWire& wire : layout.wires)
        straight += wire.bends.empty();
    CHECK(straight > inputs.size());
}

TEST_CASE("random graphs keep the rules")
{
    std::mt19937 random(3);
    for (int round = 0; round < 40; ++round) {
        GraphInputs inputs(1 + random() % 40);
        for (std::size_t node = 0; node < inputs.size(); ++node)
            for (int tried = 0; tried < 3; ++tried)
                if (const std::size_t input = random() % inputs.size();
                    input != node && (input < node || random() % 10 == 0) &&
                    std::ranges::find(inputs[node], input) == inputs[node].end())
                    inputs[node].push_back(input);
        checkDrawn(inputs, layoutGraph(inputs, 0.5));
    }
}

}  // namespace graph_layout_test
