// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/dump_summary.h"

#include "tests/support/catch.h"

namespace dump_summary_test {

using namespace calibscope;

std::vector<TensorInfo> someTensors()
{
    return {{.name = "w",
             .role = Role::Weight,
             .elementType = ElementKind::Float32,
             .shape = {4, 5},
             .layoutRule = "words",
             .compression = "none",
             .checksum = "none"},
            {.name = "a",
             .role = Role::Activation,
             .elementType = ElementKind::Bfloat16,
             .storedType = "uint16",
             .shape = {10, 10},
             .layoutRule = "shapes",
             .isGuess = true,
             .compression = "shuffle+gzip 4",
             .checksum = "fletcher32"},
            {.name = "b",
             .role = Role::Activation,
             .elementType = ElementKind::Float32,
             .shape = {2, 2},
             .layoutRule = "shapes",
             .isGuess = true,
             .compression = "none",
             .checksum = "none"},
            {.name = "c",
             .role = Role::Activation,
             .elementType = ElementKind::Float32,
             .shape = {6},
             .layoutRule = "shapes",
             .compression = "none",
             .checksum = "none",
             .unreadable = "no plugin"},
            {.name = "d",
             .elementType = ElementKind::Float32,
             .shape = {},
             .layoutRule = "generic",
             .compression = "none",
             .checksum = "none",
             .unreadable = "no plugin"}};
}

TEST_CASE("a summary counts tensors, values and guesses")
{
    const DumpSummary summary = summarise(someTensors());
    CHECK(summary.tensors == 5);
    CHECK(summary.values == 20 + 100 + 4 + 6 + 1);
    CHECK(summary.guesses == 2);
    CHECK(summary.firstGuess == 1);
    CHECK(summary.firstNeedingOtherFiles == -1);
    const DumpSummary empty = summarise({});
    CHECK(empty.tensors == 0);
    CHECK(empty.firstGuess == -1);
    CHECK(empty.roles.empty());
}

TEST_CASE("roles come in the order of the list, with the query that shows them")
{
    const DumpSummary summary = summarise(someTensors());
    REQUIRE(summary.roles.size() == 3);
    CHECK(summary.roles[0].title == "activations");
    CHECK(summary.roles[0].tensors == 3);
    CHECK(summary.roles[0].values == 110);
    CHECK(summary.roles[0].query == "role:activation");
    CHECK(summary.roles[1].title == "weights");
    CHECK(summary.roles[2].query == "role:unknown");
}

TEST_CASE("types, storage and rules come with the most values first")
{
    const DumpSummary summary = summarise(someTensors());
    REQUIRE(summary.types.size() == 2);
    CHECK(summary.types[0].title == "uint16 as bfloat16");
    CHECK(summary.types[0].query == "type:bfloat16");
    CHECK(summary.types[1].tensors == 4);
    REQUIRE(summary.storages.size() == 2);
    CHECK(summary.storages[0].title == "shuffle+gzip 4, checksum fletcher32");
    CHECK(summary.storages[1].title == "not compressed");
    REQUIRE(summary.rules.size() == 3);
    CHECK(summary.rules[0].query == "rule:shapes");
    CHECK(summary.rules[0].tensors == 3);
    CHECK(summary.rules[0].guesses == 2);
}

TEST_CASE("what can't be read is told once for each reason")
{
    const DumpSummary summary = summarise(someTensors());
    REQUIRE(summary.unreadable.size() == 1);
    CHECK(summary.unreadable[0].reason == "no plugin");
    CHECK(summary.unreadable[0].tensors == std::vector<int>{3, 4});
}

TEST_CASE("a tensor in another file is known by the option that its reason names")
{
    std::vector<TensorInfo> tensors = someTensors();
    tensors[3].unreadable = {Unreadable::Reason::OtherFile,
                             "c: its raw data lies in c.bin; allow that with --allow-external"};
    CHECK(needsOtherFiles(tensors[3]));
    CHECK_FALSE(needsOtherFiles(tensors[4]));
    CHECK(summarise(tensors).firstNeedingOtherFiles == 3);
}

TEST_CASE("the worst tensors are those with the lowest SQNR that is known")
{
    const auto at = [](std::optional<double> db) { return protocol::Preview{.sqnrDb = db}; };
    const std::map<int, protocol::Preview> previews = {
        {0, at(30.0)}, {1, at({})}, {2, at(10.0)}, {3, at(20.0)}};
    CHECK(worstTensors(previews, 2) == std::vector<int>{2, 3});
    CHECK(worstTensors(previews, 9) == std::vector<int>{2, 3, 0});
    CHECK(worstTensors({}, 3).empty());
}

}  // namespace dump_summary_test
