// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/dump/doubt_names.h"

#include "core/dump/dump_file.h"
#include "core/dump/layouts/path_words.h"
#include "tests/support/catch.h"
#include "tests/support/h5_file.h"

#include <string>
#include <vector>

namespace doubt_names_test {

using namespace calibscope;

/// The doubts of tensors of these names, of which the first has inputs.
std::vector<std::string> doubtsOf(const std::vector<std::string>& names,
                                  const std::vector<std::string>& inputs)
{
    std::vector<Understood> tensors(names.size());
    for (std::size_t tensor = 0; tensor < names.size(); ++tensor) {
        tensors[tensor].info.name = names[tensor];
        tensors[tensor].info.path = "/" + names[tensor];
    }
    tensors.front().info.inputs = inputs;
    return doubtNames(tensors);
}

TEST_CASE("words that tell roles are known with a letter changed, and others are left alone")
{
    CHECK(layouts::roleWordMeant("activaVions") == "activations");
    CHECK(layouts::roleWordMeant("qctivations") == "activations");
    CHECK(layouts::roleWordMeant("weig(ts") == "weights");
    CHECK(layouts::roleWordMeant("running_meln") == "running_mean");
    for (const char* name :
         {"activations", "Weights", "heights", "height", "outputA", "weight1", "output1",
          "outputs_", "acs", "biased", "hiddes", "kernel", "weight_h"})
        CHECK(layouts::roleWordMeant(name).empty());
}

TEST_CASE("a group one letter off a word for roles is told once, and with all its tensors")
{
    test::H5File file;
    for (const char* name : {"/activaVions/a/x", "/activaVions/b", "/other/c"})
        file.write(name, {4, 2}, std::vector<float>(8, 1.0F));
    const auto dump = DumpFile::open(file.path());
    const std::string sentence = "/activaVions: its name is one letter off \"activations\": check "
                                 "whether the file is damaged";
    CHECK(dump->warnings() == std::vector<std::string>{sentence});
    for (const TensorInfo& info : dump->tensors())
        CHECK(info.doubts == (info.path == "/other/c"
                                  ? std::vector<std::string>{}
                                  : std::vector<std::string>{"of its group " + sentence}));
}

TEST_CASE("a tensor one letter off an input that is missing is told")
{
    CHECK(doubtsOf({"b", "colvolution1"}, {"convolution1"}) ==
          std::vector<std::string>{"/colvolution1: its name is one letter off \"convolution1\", an "
                                   "input that no tensor is called: check whether the file is "
                                   "damaged"});
    // Numbers, letters of their own and the last letter tell names apart.
    CHECK(doubtsOf({"b", "conv1", "branch_a_conv", "wk", "convA"},
                   {"conv2", "branch_b_conv", "wq", "convB", "x"})
              .empty());
    // It is an input itself, or so is the one that it resembles.
    CHECK(doubtsOf({"b", "colv1x"}, {"conv1x", "colv1x"}).empty());
    CHECK(doubtsOf({"b", "colv1x", "conv1x"}, {"conv1x"}).empty());
}

}  // namespace doubt_names_test
