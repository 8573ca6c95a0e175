// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/dump/layout.h"

#include "tests/support/catch.h"

#include <algorithm>
#include <string>
#include <vector>

namespace layout_test {

using namespace calibscope;

using Texts = std::vector<std::string>;

const Attributes marked{{"format", std::string("calibration-dump")},
                        {"format_version", std::int64_t{1}}};

DatasetFacts dataset(const std::string& path, std::vector<std::uint64_t> shape,
                     Attributes attributes = {})
{
    DatasetFacts facts;
    facts.path = path;
    facts.shape = std::move(shape);
    facts.typeText = "float32";
    facts.element = ElementType{};
    facts.compression = "none";
    facts.checksum = "none";
    facts.attributes = std::move(attributes);
    return facts;
}

/// What is made of the only dataset of a file.
Understood understand(const Attributes& root, const DatasetFacts& facts)
{
    return understand(FileFacts{.attributes = root, .datasets = {facts}}).front();
}

TEST_CASE("an activation of a calibration dump has samples, batches, channels and a graph")
{
    const Understood understood = understand(marked, dataset("/activations/conv1", {8, 16, 24, 24},
                                                             {{"op_type", std::string("Conv")},
                                                              {"inputs", Texts{"x", "conv1.w"}},
                                                              {"layout", std::string("NCHW")},
                                                              {"batch_size", std::int64_t{3}},
                                                              {"order", std::int64_t{7}}}));
    const TensorInfo& info = understood.info;
    CHECK(info.name == "conv1");
    CHECK(info.path == "/activations/conv1");
    CHECK(info.role == Role::Activation);
    CHECK(info.op == "Conv");
    CHECK(info.inputs == Texts{"x", "conv1.w"});
    CHECK(info.batchAxis == 0);
    CHECK(info.batchSize == 3);
    CHECK(info.batchCount() == 3);  // 3 + 3 + 2
    CHECK(info.channelAxis == 1);
    CHECK(info.layoutRule == "calibration-dump");
    CHECK_FALSE(info.isGuess);
    CHECK(understood.order == 7);
    CHECK(understood.warnings.empty());
}

TEST_CASE("a weight of a calibration dump is one batch with its own channel axis")
{
    const TensorInfo info = understand(marked, dataset("/weights/w", {24, 16, 2, 2},
                                                       {{"op_type", std::string("ConvTranspose")},
                                                        {"channel_axis", std::int64_t{1}},
                                                        {"batch_size", std::int64_t{2}}}))
                                .info;
    CHECK(info.role == Role::Weight);
    CHECK(info.channelAxis == 1);
    CHECK_FALSE(info.batchAxis);
    CHECK(info.batchCount() == 1);
}

TEST_CASE("the layout's letter C tells the channel axis where no attribute does")
{
    const auto axisOf = [](const std::string& layout, std::vector<std::uint64_t> shape) {
        return understand(marked, dataset("/activations/a", std::move(shape), {{"layout", layout}}))
            .info.channelAxis;
    };
    CHECK(axisOf("NCHW", {1, 2, 3, 4}) == 1);
    CHECK(axisOf("NCL", {1, 2, 3}) == 1);
    CHECK(axisOf("NTC", {1, 2, 3}) == 2);
    CHECK(axisOf("NHWC", {1, 2, 3, 4}) == 3);
    CHECK(axisOf("NC", {1, 2}) == 1);
    CHECK_FALSE(axisOf("NHQK", {1, 2, 3, 4}));
    CHECK_FALSE(axisOf("", {1, 2}));
}

TEST_CASE("an attribute wins over the layout, and counts from the end where it is negative")
{
    const auto axisOf = [](std::int64_t axis) {
        return understand(marked, dataset("/activations/a", {1, 2, 3},
                                          {{"layout", std::string("NCL")}, {"channel_axis", axis}}))
            .info.channelAxis;
    };
    CHECK(axisOf(2) == 2);
    CHECK(axisOf(-1) == 2);
    CHECK(axisOf(-3) == 0);
}

TEST_CASE("an axis that is told to be the channel holds no samples")
{
    const auto check = [](const Attributes& root, const std::string& path,
                          const std::string& rule) {
        const TensorInfo info = understand(root, dataset(path, {4, 2},
                                                         {{"layout", std::string("NC")},
                                                          {"channel_axis", std::int64_t{0}},
                                                          {"batch_size", std::int64_t{2}}}))
                                    .info;
        CHECK(info.layoutRule == rule);
        CHECK(info.role == Role::Activation);
        CHECK(info.channelAxis == 0);
        CHECK_FALSE(info.batchAxis);
        CHECK(info.batchCount() == 1);
        const std::string reason = "no batch axis: axis 0 is the channel (" + rule + ")";
        CHECK(std::ranges::count(info.evidence, reason) == 1);
    };
    check(marked, "/activations/a", "calibration-dump");
    check({}, "/net/a", "explicit-attributes");
}

TEST_CASE("attributes that are missing cost nothing")
{
    const Understood understood = understand(marked, dataset("/activations/a", {4, 2}));
    CHECK(understood.info.batchAxis == 0);
    CHECK(understood.info.batchSize == 0);
    CHECK(understood.info.batchCount() == 1);
    CHECK_FALSE(understood.info.channelAxis);
    CHECK(understood.info.op.empty());
    CHECK_FALSE(understood.order);
    CHECK(understood.warnings.empty());
}

TEST_CASE("attributes of a wrong type or value are passed over with a warning each")
{
    const Understood understood = understand(marked, dataset("/activations/a", {4, 2},
                                                             {{"op_type", std::int64_t{3}},
                                                              {"inputs", 1.5},
                                                              {"layout", std::string("NCHW")},
                                                              {"channel_axis", std::int64_t{2}},
                                                              {"batch_size", std::int64_t{0}},
                                                              {"order", std::string("first")}}));
    CHECK(understood.info.op.empty());
    CHECK(understood.info.inputs.empty());
    CHECK(understood.info.layout.empty());
    CHECK_FALSE(understood.info.channelAxis);
    CHECK(understood.info.batchSize == 0);
    CHECK(understood.warnings ==
          Texts{"attribute op_type is ignored: it is not a string",
                "attribute inputs is ignored: it is not a list of strings",
                "attribute order is ignored: it is not a whole number",
                "attribute layout is ignored: NCHW names 4 axes of a tensor of rank 2",
                "attribute channel_axis is ignored: 2 is not an axis of a tensor of rank 2",
                "attribute batch_size is ignored: 0 is not a number of samples"});
}

TEST_CASE("a single text is a list of one input, and a list of one text is a text")
{
    const TensorInfo info =
        understand(marked, dataset("/activations/a", {4, 2},
                                   {{"inputs", std::string("x")}, {"op_type", Texts{"Relu"}}}))
            .info;
    CHECK(info.inputs == Texts{"x"});
    // As h5py writes attrs["inputs"] = [].
    CHECK(understand(marked,
                     dataset("/activations/a", {4, 2}, {{"inputs", std::vector<std::int64_t>{}}}))
              .warnings.empty());
    CHECK(info.op == "Relu");
}

TEST_CASE("nested groups stay part of a name as recorded")
{
    CHECK(understand(marked, dataset("/activations/layer1/0/conv", {4, 2})).info.name ==
          "layer1/0/conv");
}

TEST_CASE("in a file without the mark its attributes are read, and the groups' names are a guess")
{
    const TensorInfo info =
        understand({}, dataset("/activations/a", {4, 2}, {{"batch_size", std::int64_t{2}}})).info;
    CHECK(info.role == Role::Activation);
    CHECK(info.batchSize == 2);
    CHECK(info.layoutRule == "calibration-dump");
    CHECK(info.isGuess);
    CHECK(understand({}, dataset("/weights/w", {4, 2})).info.layoutRule == "path-words");
}

TEST_CASE("a dataset of a marked file outside its groups goes by the other rules")
{
    CHECK(understand(marked, dataset("/extra/a", {4})).info.layoutRule == "generic");
    CHECK(understand(marked, dataset("/extra/a", {4, 2})).info.layoutRule == "shapes");
}

TEST_CASE("a tensor that nothing tells about has no role, batches and channels")
{
    const TensorInfo info = understand({}, dataset("/some/a", {4})).info;
    CHECK(info.name == "some/a");
    CHECK(info.role == Role::Unknown);
    CHECK(info.layoutRule == "generic");
    CHECK_FALSE(info.batchAxis);
    CHECK_FALSE(info.channelAxis);
    CHECK(info.batchCount() == 1);
    CHECK_FALSE(info.isGuess);
    CHECK(info.evidence == Texts{"nothing states its role or its axes (generic)"});
}

TEST_CASE("what can't be read keeps its reason and its recorded facts")
{
    DatasetFacts facts = dataset("/weights/ids", {3});
    facts.typeText = "int32";
    facts.element.reset();
    facts.unreadable = "it holds integers";
    const TensorInfo info = understand(marked, facts).info;
    CHECK(info.role == Role::Weight);
    CHECK(info.elementType == ElementKind::Int32);
    CHECK(info.unreadable == "it holds integers");
    CHECK_FALSE(info.isReadable());
}

TEST_CASE("a dump tells how many tensors each rule understood, and how many by a guess")
{
    const std::vector<TensorInfo> tensors{
        {.layoutRule = "generic"},
        {.layoutRule = "calibration-dump"},
        {.layoutRule = "calibration-dump", .isGuess = true},
    };
    CHECK(usesOf(tensors) == std::vector<RuleUse>{{"calibration-dump", "Calibration dump", 2, 1},
                                                  {"generic", "Any HDF5 file", 1, 0}});
    CHECK(usesOf({}).empty());
}

TEST_CASE("layout rules are sorted by order, have distinct ids, and the last one takes all")
{
    const std::vector<LayoutRule>& rules = layoutRules();
    REQUIRE(rules.size() >= 2);
    for (std::size_t rule = 1; rule < rules.size(); ++rule) {
        CHECK(rules[rule - 1].order < rules[rule].order);
        CHECK(rules[rule - 1].id != rules[rule].id);
    }
    CHECK(rules.back().readerFor({})(TensorDatasets{}));
}

}  // namespace layout_test
