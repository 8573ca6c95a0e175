// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/name_parts.h"

#include "tests/support/catch.h"

#include <set>
#include <string>
#include <vector>

namespace name_parts_test {

using namespace calibscope;

/// The parts that are needed, between bars.
std::string neededOf(const std::vector<std::string_view>& names, std::string_view name,
                     NameParts::Need least = NameParts::Helpful)
{
    const QByteArray needs = NameParts(names).needs(name);
    std::string text;
    for (qsizetype part = 0; part < needs.size(); ++part)
        if (needs[part] >= least)
            text += std::string(text.empty() ? "" : "|") +
                    std::string(partsOf(name).at(static_cast<std::size_t>(part)));
    return text;
}

TEST_CASE("parts of names end at / . _ - : and spaces, several in a row stay together")
{
    using Parts = std::vector<std::string_view>;
    CHECK(partsOf("a/conv_1.out") == Parts{"a/", "conv_", "1.", "out"});
    CHECK(partsOf("c//d::e") == Parts{"c//", "d::", "e"});
    CHECK(partsOf("/a") == Parts{"/", "a"});
    CHECK(partsOf("a/") == Parts{"a/"});
    CHECK(partsOf("").empty());
}

TEST_CASE("the parts behind branches tell a name from all others")
{
    const std::vector<std::string_view> names = {"a/block0/u", "a/block1/u", "a/block1/v",
                                                 "l1.0.conv",  "l2.0.conv",  "stem"};
    CHECK(neededOf(names, "a/block0/u") == "block0/|u");
    CHECK(neededOf(names, "a/block1/u") == "block1/|u");
    CHECK(neededOf(names, "a/block1/v") == "v");
    CHECK(neededOf(names, "l1.0.conv") == "l1.");  // from the front
    CHECK(neededOf(names, "stem") == "stem");
}

TEST_CASE("names that end alike are told by what is before the end")
{
    const std::vector<std::string_view> names = {
        "conv_1_weights_fused_bn", "conv_12_weights_fused_bn", "dense_1_weights_fused_bn"};
    CHECK(neededOf(names, names[0]) == "conv_|1_");
    CHECK(neededOf(names, names[1]) == "12_");
    CHECK(neededOf(names, names[2]) == "dense_");
}

TEST_CASE("no two names of a list are shown alike by their needed parts")
{
    std::vector<std::string> all;
    for (const std::string stage : {"stage1/", "stage2/", "enc.stage1/"})
        for (const std::string block : {"block0/", "block1/bn_", "down_"})
            for (const std::string end : {"conv_s1", "conv_s2", "relu_s1", "s1"})
                all.push_back(stage + block + end);
    const std::vector<std::string_view> names(all.begin(), all.end());
    std::set<std::string> shown;
    for (const std::string_view name : names)
        shown.insert(neededOf(names, name));
    CHECK(shown.size() == names.size());
}

TEST_CASE("where there is less room the rarest parts are enough that no other name has together")
{
    std::vector<std::string> all;
    for (const std::string block : {"0", "1", "2", "3"})
        for (const std::string end : {"activation.Relu_output_0", "reparam_conv.Conv_output_0"})
            all.push_back("encoder." + block + "." + end);
    all.insert(all.end(),
               {"decoder.Gather_2_output_0", "decoder.decoder.1.Relu_output_0", "output"});
    const std::vector<std::string_view> names(all.begin(), all.end());
    const auto essential = [&](std::string_view name) {
        return neededOf(names, name, NameParts::Essential);
    };
    CHECK(essential("encoder.2.activation.Relu_output_0") == "2.|activation.");
    CHECK(essential("encoder.3.reparam_conv.Conv_output_0") == "3.|Conv_");
    CHECK(essential("decoder.Gather_2_output_0") == "2_");
    CHECK(essential("output") == "output");
    std::set<std::string> shown;
    for (const std::string_view name : names)
        shown.insert(essential(name));
    CHECK(shown.size() == names.size());
}

TEST_CASE("names that are ends of others, alike, odd or empty")
{
    const std::vector<std::string_view> names = {"b", "a/b", "x", "x", "", "/", "c//d"};
    CHECK(neededOf(names, "b") == "b");
    CHECK(neededOf(names, "a/b") == "a/");
    CHECK(neededOf(names, "x") == "x");
    CHECK(neededOf(names, "").empty());
    CHECK(neededOf(names, "/") == "/");
    CHECK(neededOf(names, "c//d") == "d");
    CHECK(neededOf({"a_b"}, "a_b") == "b");  // alone: its end will do
}

}  // namespace name_parts_test
