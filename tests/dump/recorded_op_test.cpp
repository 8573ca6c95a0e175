// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/dump/dump_file.h"
#include "core/recipes/recipe.h"
#include "tests/support/catch.h"
#include "tests/support/h5_file.h"

namespace recorded_op_test {

using namespace calibscope;
using test::containsText;
using test::H5File;
using Numbers = std::vector<std::int64_t>;
using Texts = std::vector<std::string>;

/// A marked dump with an activation of two samples.
H5File dumpWithOutput()
{
    H5File file;
    file.write("/activations/y", {2, 3}, std::vector<float>{1, 2, 3, 4, 5, 6});
    file.attribute("/", "format", "calibration-dump");
    return file;
}

TEST_CASE("what a recorder tells of the graph is read")
{
    H5File file = dumpWithOutput();
    const std::string y = "/activations/y";
    file.attribute(y, "op_type", "Conv");
    file.attribute(y, "graph_name", "/m/y:0");
    file.attribute(y, "node", "Conv_7");
    file.attribute(y, "inputs", Texts{"x", "w", "", "b"});
    file.attribute(y, "output_index", std::int64_t{1});
    file.attribute(y, "kernel_shape", Numbers{3, 5});
    file.attribute(y, "strides", Numbers{2});
    file.attribute(y, "pads", Numbers{1, 2, 1, 2});
    file.attribute(y, "dilations", Numbers{1, 1});
    file.attribute(y, "group", std::int64_t{4});
    file.attribute(y, "auto_pad", "SAME_UPPER");
    file.attribute(y, "output_padding", Numbers{0, 1});
    file.attribute(y, "output_shape", Numbers{7, 8});
    file.attribute(y, "transB", std::int64_t{1});
    file.attribute(y, "alpha", 0.5);
    file.attribute(y, "beta", std::int64_t{1});
    file.attribute(y, "op_attributes", R"({"axis":1,"perm":[0,2,1]})");
    file.attribute(y, "samples", Numbers{3, 17});
    const auto dump = DumpFile::open(file.path());
    const TensorInfo& info = dump->tensors().at(0);
    CHECK(info.graphName == "/m/y:0");
    CHECK(info.node == "Conv_7");
    CHECK(info.inputs == Texts{"x", "w", "", "b"});  // a place that is left out stays one
    CHECK(info.outputIndex == 1);
    CHECK(info.geometry == OpGeometry{.kernelShape = {3, 5},
                                      .strides = {2},
                                      .pads = {1, 2, 1, 2},
                                      .dilations = {1, 1},
                                      .outputPadding = {0, 1},
                                      .outputShape = {7, 8},
                                      .group = 4,
                                      .autoPad = "SAME_UPPER",
                                      .transB = 1,
                                      .alpha = 0.5,
                                      .beta = 1.0});
    CHECK(info.opAttributes == R"({"axis":1,"perm":[0,2,1]})");
    CHECK(info.samples == std::vector<std::uint64_t>{3, 17});
    CHECK(info.channelAxis == std::nullopt);  // the axis of the op is none of the tensor's
    CHECK(dump->warnings().empty());
}

TEST_CASE("a dump without any of it is read as before, and tells nothing of the geometry")
{
    const H5File file = dumpWithOutput();
    const auto dump = DumpFile::open(file.path());
    const TensorInfo& info = dump->tensors().at(0);
    CHECK(info.graphName.empty());
    CHECK_FALSE(info.geometry.isRecorded());
    CHECK(info.samples.empty());
    CHECK(dump->feeds().empty());
    CHECK(dump->warnings().empty());
}

TEST_CASE("what is odd is passed over with a warning each")
{
    H5File file = dumpWithOutput();
    const std::string y = "/activations/y";
    file.attribute(y, "output_index", std::int64_t{-1});
    file.attribute(y, "strides", "two");
    file.attribute(y, "op_attributes", "[1]");
    file.attribute(y, "samples", Numbers{1, 2, 3});
    file.attribute(y, "alpha", "x");
    const auto dump = DumpFile::open(file.path());
    const TensorInfo& info = dump->tensors().at(0);
    CHECK(info.outputIndex == 0);
    CHECK(info.samples.empty());
    CHECK(info.opAttributes.empty());
    CHECK(dump->warnings().size() == 5);
    std::string all;
    for (const std::string& warning : dump->warnings())
        all += warning + "\n";
    CHECK_THAT(all, containsText("attribute samples is ignored: it lists 3 samples, and axis 0 is "
                                 "as long as 2"));
    CHECK_THAT(all,
               containsText("attribute op_attributes is ignored: it is not the text of a JSON"));
}

TEST_CASE("a bias has a role of its own, and no recipe gives it a scale")
{
    H5File file = dumpWithOutput();
    file.write("/weights/b", {3}, std::vector<float>{1, 2, 3});
    file.attribute("/weights/b", "role", "bias");
    file.attribute("/weights/b", "consumer", "Conv_7");
    file.write("/weights/w", {3, 1}, std::vector<float>{1, 2, 3});
    const auto dump = DumpFile::open(file.path());
    const TensorInfo& bias = dump->tensors()[dump->indexOf("b")];
    CHECK(bias.role == Role::Bias);
    CHECK(bias.consumer == "Conv_7");
    CHECK_FALSE(bias.channelAxis);
    CHECK(dump->tensors()[dump->indexOf("w")].role == Role::Weight);
    for (const Recipe& recipe : recipes())
        CHECK_FALSE(choose(recipe, bias, Consumers(dump->tensors())));
    CHECK(parseRole("bias") == Role::Bias);
    CHECK(roleText(Role::Bias) == "bias");
}

TEST_CASE("a vector among the weights of a calibration dump is a bias by its name, unless it says")
{
    H5File file = dumpWithOutput();
    const std::vector<float> three{1, 2, 3};
    file.write("/weights/w.bias", {3}, three);
    file.write("/weights/block/Bias", {3}, three);
    file.write("/weights/bias.w", {3}, three);
    file.write("/weights/table.bias", {3, 1}, three);
    file.write("/weights/own.bias", {3}, three);
    file.attribute("/weights/own.bias", "role", "weight");
    const auto dump = DumpFile::open(file.path());
    const auto roleOf = [&](const char* name) { return dump->tensors()[dump->indexOf(name)].role; };
    CHECK(roleOf("w.bias") == Role::Bias);
    CHECK(roleOf("block/Bias") == Role::Bias);
    CHECK(roleOf("bias.w") == Role::Weight);
    CHECK(roleOf("table.bias") == Role::Weight);  // no vector
    CHECK(roleOf("own.bias") == Role::Weight);
}

TEST_CASE("the attribute role makes a bias of a dataset in any file")
{
    H5File file;
    file.write("/b", {3}, std::vector<float>{1, 2, 3});
    file.attribute("/b", "role", "bias");
    const auto dump = DumpFile::open(file.path());
    CHECK(dump->tensors().at(0).role == Role::Bias);
    CHECK_FALSE(dump->tensors().at(0).isGuess);
}

TEST_CASE("feeds are listed apart, with their values, also integers")
{
    H5File file = dumpWithOutput();
    file.write("/feeds/0/x", {2}, std::vector<float>{0.5F, 2});
    file.write("/feeds/0/ids", {3}, std::vector<double>{1, 2, 70000}, test::Stored::Int32);
    file.write("/feeds/1/x", {2}, std::vector<float>{3, 4});
    file.hardLink("/feeds/1/same", "/activations/y");
    const auto dump = DumpFile::open(file.path());
    REQUIRE(dump->tensors().size() == 1);
    CHECK(dump->tensors()[0].name == "y");
    std::vector<std::string> names;
    for (const TensorInfo& feed : dump->feeds())
        names.push_back(feed.name);
    std::ranges::sort(names);
    CHECK(names == Texts{"0/ids", "0/x", "1/same", "1/x"});
    CHECK_FALSE(dump->find("/feeds/0/x"));
    const auto fed = std::ranges::find(dump->feeds(), "0/ids", &TensorInfo::name);
    REQUIRE(fed != dump->feeds().end());
    CHECK(fed->elementType == ElementKind::Int32);
    std::vector<float> values;
    dump->feedSource(static_cast<std::size_t>(fed - dump->feeds().begin()))
        .visit(
            [&](const Block& block) {
                values.insert(values.end(), block.values.begin(), block.values.end());
            },
            {});
    CHECK(values == std::vector<float>{1, 2, 70000});
}

}  // namespace recorded_op_test
