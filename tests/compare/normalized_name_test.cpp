#include "core/compare/normalized_name.h"

#include "tests/support/catch.h"

using calibscope::normalizedName;

TEST_CASE("separators of different tools become the same")
{
    CHECK(normalizedName("layer1/0/conv1") == "layer1.0.conv1");
    CHECK(normalizedName("layer1.0.conv1") == "layer1.0.conv1");
    CHECK(normalizedName("layer1:0:conv1") == "layer1.0.conv1");
    CHECK(normalizedName("/layer1//0/conv1/") == "layer1.0.conv1");
}

TEST_CASE("an output number behind the name goes")
{
    CHECK(normalizedName("relu:0") == "relu");
    CHECK(normalizedName("block/relu:12") == "block.relu");
    CHECK(normalizedName("relu:a0") == "relu.a0");
    CHECK(normalizedName("relu:") == "relu");
}

TEST_CASE("wrappers around the model in front of the name go")
{
    CHECK(normalizedName("module.conv1.weight") == "conv1.weight");
    CHECK(normalizedName("_orig_mod.module.conv1") == "conv1");
    CHECK(normalizedName("model/conv1") == "conv1");
    CHECK(normalizedName("modelling.conv1") == "modelling.conv1");
}

TEST_CASE("a name never becomes empty, and case is kept")
{
    CHECK(normalizedName("module.") == "module");
    CHECK(normalizedName("/") == "/");
    CHECK(normalizedName(":0") == "0");
    CHECK(normalizedName("") == "");
    CHECK(normalizedName("Conv1") == "Conv1");
}
