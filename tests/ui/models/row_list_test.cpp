// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/row_list.h"

#include "tests/support/catch.h"

#include <algorithm>
#include <numeric>

namespace row_list_test {

using namespace calibscope;

CommonEnds endsOf(std::vector<std::string_view> names)
{
    return commonEnds(names);
}

/// A tree of one group, drawn with two blanks for each level.
std::string drawn(const std::vector<std::string_view>& names, bool isByPath,
                  const CommonEnds& ends = {})
{
    std::vector<int> tensors(names.size());
    std::iota(tensors.begin(), tensors.end(), 0);
    ListTree tree;
    (void)tree.addGroup(
        tensors, [&](int tensor) { return names[static_cast<std::size_t>(tensor)]; }, isByPath,
        ends);
    tree.finish();
    std::string lines;
    const auto draw = [&](const auto& self, int id, const std::string& indent) -> void {
        for (const int row : tree.rows(id)) {
            const ListTree::Node& node = tree.node(row);
            CHECK(tree.node(id).count == static_cast<int>(tree.rows(id).size()));
            CHECK(tree.rows(id)[static_cast<std::size_t>(node.row)] == row);
            CHECK(node.parent == id);
            CHECK(row > id);
            lines += indent +
                     std::string(names[static_cast<std::size_t>(tree.firstTensor(row))].substr(
                         static_cast<std::size_t>(node.begin),
                         static_cast<std::size_t>(node.end - node.begin))) +
                     (node.tensor < 0 ? ":" : "") + "\n";
            self(self, row, indent + "  ");
        }
    };
    draw(draw, tree.rows(ListTree::root).front(), "");
    return lines;
}

TEST_CASE("names share whole parts at their beginning and end")
{
    CHECK(endsOf({"a/b/output", "a/c/output"}) == CommonEnds{.front = 2, .back = 7});
    CHECK(endsOf({"conv1.w_0", "conv12.w_0"}) == CommonEnds{.front = 0, .back = 4});
    CHECK(endsOf({"conv1/x", "conv12/y"}) == CommonEnds());
    CHECK(endsOf({"c1_w_bn", "c12_w_bn"}) == CommonEnds{.front = 0, .back = 5});
    CHECK(endsOf({"1_relu", "2_selu"}) == CommonEnds());  // no part of a part
    CHECK(endsOf({"block.1", "block.12"}) == CommonEnds{.front = 6, .back = 0});
}

TEST_CASE("of every name something is left over")
{
    CHECK(endsOf({}) == CommonEnds());
    CHECK(endsOf({"a/b/c"}) == CommonEnds());
    CHECK(endsOf({"a/b/c", "a/b/c"}) == CommonEnds{.front = 4, .back = 0});
    CHECK(endsOf({"a/a", "a/a/a"}) == CommonEnds{.front = 2, .back = 0});
    CHECK(endsOf({"/", "//"}) == CommonEnds());
    CHECK(endsOf({"", "a/b"}) == CommonEnds());
    CHECK(endsOf({"/a", "/a"}) == CommonEnds{.front = 1, .back = 0});
}

TEST_CASE("a flat group has a row for each tensor, without what all names share")
{
    CHECK(drawn({"s/a/out", "s/b/out"}, false, {.front = 2, .back = 4}) == "a\nb\n");
    CHECK(drawn({}, false).empty());
}

TEST_CASE("parts with several tensors are branches, in the order of their first tensor")
{
    CHECK(drawn({"b2/conv", "b10/conv", "b2/relu", "in"}, true) ==
          "b2:\n  conv\n  relu\nb10/conv\nin\n");
    CHECK(drawn({"a.b/c", "a.b/d", "a.e"}, true) == "a:\n  b:\n    c\n    d\n  e\n");
}

TEST_CASE("parts that lead to one place only are one row")
{
    CHECK(drawn({"a/b/c/x", "a/b/c/y"}, true) == "a/b/c:\n  x\n  y\n");
    CHECK(drawn({"a/b/x", "a/b/y", "c/d/e"}, true) == "a/b:\n  x\n  y\nc/d/e\n");
}

TEST_CASE("a tensor may be called as a branch, and names may be odd")
{
    CHECK(drawn({"a", "a/b", "a/c"}, true) == "a\na:\n  b\n  c\n");
    CHECK(drawn({"a/", "a/b", "a/c"}, true) == "a/\na:\n  b\n  c\n");
    CHECK(drawn({"/x", "/y"}, true) == "/x\n/y\n");
    CHECK(drawn({"a//b", "a//c"}, true) == "a/:\n  b\n  c\n");
    CHECK(drawn({"a//b", "a/c"}, true) == "a:\n  /b\n  c\n");
    CHECK(drawn({"", ""}, true) == "\n\n");
    CHECK(drawn({"a/b", "a/b"}, true) == "a:\n  b\n  b\n");
}

TEST_CASE("names of thousands of parts make no deeper tree than others")
{
    std::vector<std::string> names;
    for (int depth = 1; depth < 2000; ++depth)
        names.push_back((names.empty() ? "" : names.back()) + "a/");
    std::vector<std::string> leaves;
    for (const std::string& name : names)
        leaves.push_back(name + "x");
    const std::vector<std::string_view> views(leaves.begin(), leaves.end());
    std::vector<int> tensors(views.size());
    std::iota(tensors.begin(), tensors.end(), 0);
    ListTree tree;
    const int group = tree.addGroup(
        tensors, [&](int tensor) { return views[static_cast<std::size_t>(tensor)]; }, true, {});
    tree.finish();
    int deepest = 0;
    std::vector<int> shown;
    tree.collect(group, shown);
    std::ranges::sort(shown);
    CHECK(shown == tensors);
    for (int node = 1; node < tree.size(); ++node) {
        int depth = 0;
        for (int above = node; above > 0; above = tree.node(above).parent)
            ++depth;
        deepest = std::max(deepest, depth);
    }
    CHECK(deepest <= ListTree::deepestBranch + 2);
}

TEST_CASE("rows take another order and know their places in it")
{
    ListTree tree;
    const std::vector<int> tensors = {0, 1, 2};
    const int group = tree.addGroup(tensors, [](int) { return std::string_view("x"); }, false, {});
    tree.finish();
    std::vector<int> rows(tree.rows(group).begin(), tree.rows(group).end());
    std::ranges::reverse(rows);
    tree.setRows(group, rows);
    CHECK(tree.node(rows[0]).row == 0);
    CHECK(tree.node(rows[2]).row == 2);
    std::vector<int> shown;
    tree.collect(group, shown);
    CHECK(shown == std::vector<int>{2, 1, 0});
}

}  // namespace row_list_test
