// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/entry_matches.h"
#include "tests/exchange/sample_entries.h"
#include "tests/support/catch.h"

namespace entry_matches_test {

using namespace calibscope;
using namespace calibscope::exchange;
using namespace calibscope::test;

TensorInfo tensor(std::string name, Role role = Role::Activation)
{
    TensorInfo info;
    info.path = (role == Role::Weight ? "/weights/" : "/activations/") + name;
    info.name = std::move(name);
    info.role = role;
    return info;
}

EntryMatch matchOf(const std::string& entry, const std::vector<TensorInfo>& tensors,
                   const ModelNames& map = {})
{
    return matchEntries({.entries = {activationEntry(entry, 1.0)}}, tensors, {.map = map}).front();
}

TEST_CASE("an entry is for the tensor that the map, its name or the end of its name tells")
{
    const std::vector<TensorInfo> tensors{tensor("model.conv.0"), tensor("a/b"), tensor("relu"),
                                          tensor("x", Role::Weight), tensor("x")};
    const auto ruleOf = [&](const std::string& entry) { return matchOf(entry, tensors).rule; };
    CHECK(ruleOf("a/b") == EntryNameRule::Equal);
    CHECK(ruleOf("/model/conv.0") == EntryNameRule::Separator);
    CHECK(matchOf("/model/conv.0", tensors).tensor == 0);
    CHECK(ruleOf("main/block:relu") == EntryNameRule::End);
    CHECK(ruleOf("main_relu") == EntryNameRule::End);
    CHECK(ruleOf("mainrelu") == EntryNameRule::None);
    CHECK(ruleOf("reluu") == EntryNameRule::None);
    CHECK(matchOf("x", tensors).tensor == 4);  // of the entry's role
    const EntryMatch mapped = matchOf("onnx::Relu_7", tensors, {{"relu", "onnx::Relu_7"}});
    CHECK(mapped.rule == EntryNameRule::Map);
    CHECK(mapped.tensor == 2);
    CHECK(matchOf("onnx::Relu_8", tensors, {{"/activations/relu", "onnx::Relu_8"}}).tensor == 2);
}

TEST_CASE("the graph's name that the recorder wrote comes before the dump's own")
{
    std::vector<TensorInfo> tensors{tensor("a"), tensor("b")};
    tensors[1].graphName = "a";
    const EntryMatch match = matchOf("a", tensors);
    CHECK(match.rule == EntryNameRule::Recorded);
    CHECK(match.tensor == 1);
}

TEST_CASE("an entry with a name of the model is for the tensor that has it there, and for no other")
{
    // "8k/y" ends in the dump's name, but the model says that the dump was recorded at 16 kHz.
    const std::vector<TensorInfo> tensors{tensor("y"), tensor("z")};
    const EntryNaming naming{.map = {{"z", "given"}},
                             .model = {{"/activations/y", "16k/y"}},
                             .inModel = {"8k/y", "16k/y", "z"}};
    const auto match = [&](const std::string& entry) {
        return matchEntries({.entries = {activationEntry(entry, 1.0)}}, tensors, naming).front();
    };
    CHECK(matchOf("8k/y", tensors).tensor == 0);  // as without the model
    CHECK_FALSE(match("8k/y").tensor);
    CHECK(match("16k/y").tensor == 0);
    CHECK(match("16k/y").rule == EntryNameRule::Model);
    CHECK(entryNameRuleText(EntryNameRule::Model) == "model");
    CHECK(match("other/y").rule == EntryNameRule::End);  // a name that the model does not have
    CHECK_FALSE(match("z").tensor);                      // its z was not found to be the dump's
    CHECK(match("given").rule == EntryNameRule::Map);
}

TEST_CASE("the longest end decides, and what is ambiguous is not matched")
{
    const std::vector<TensorInfo> tensors{tensor("conv.0"), tensor("0"), tensor("y"), tensor("y")};
    CHECK(matchOf("net/conv/0", tensors).tensor == 0);
    const EntryMatch ambiguous = matchOf("y", tensors);
    CHECK(!ambiguous.tensor);
    CHECK(ambiguous.candidates.size() == 2);
}

TEST_CASE("an entry of an ncnn table is for the layer's weight")
{
    ScaleFile file{.format = "ncnn-table", .entries = {weightEntry("conv1_param_0", {1.0})}};
    const std::vector<TensorInfo> tensors{tensor("conv1"), tensor("conv1.weight", Role::Weight)};
    CHECK(matchEntries(file, tensors).front().tensor == 1);
    // The layers come first; of none that is known the input has no name.
    const EntryNaming naming{.layers = {{"conv1_param_0", {.path = "/weights/other"}},
                                        {"conv1", {.path = "/activations/x"}}}};
    const std::vector<TensorInfo> known{tensor("conv1"), tensor("x"),
                                        tensor("other", Role::Weight)};
    file.entries.push_back(activationEntry("conv1", 1.0));
    const std::vector<EntryMatch> matches = matchEntries(file, known, naming);
    CHECK(matches[0].tensor == 2);
    CHECK(matches[0].rule == EntryNameRule::Layer);
    CHECK(matches[1].tensor == 1);
    CHECK(entryNameRuleText(EntryNameRule::Layer) == "layer");
    CHECK_FALSE(matchEntries(file, tensors).back().tensor);
    // Another tool has the same operands under names of its own.
    const ScaleFile modules{
        .format = "compressed-tensors",
        .entries = {weightEntry("conv1.weight", {1.0}), activationEntry("conv1", 1.0)}};
    CHECK(matchEntries(modules, tensors).front().tensor == 1);
    const std::vector<EntryMatch> byLayer = matchEntries(modules, known, naming);
    CHECK(byLayer[0].tensor == 2);
    CHECK(byLayer[0].rule == EntryNameRule::Layer);
    CHECK(byLayer[1].tensor == 1);
}

TEST_CASE("tensors that the file lacks are those of the roles that its format has")
{
    TensorInfo unreadable = tensor("z");
    unreadable.unreadable = "is damaged";
    const std::vector<TensorInfo> tensors{tensor("a"), tensor("b"), tensor("w", Role::Weight),
                                          unreadable};
    const std::vector<EntryMatch> matches{{.tensor = 1}, {}};
    CHECK(missingTensors(tensors, matches, false, true) == std::vector<std::size_t>{0});
    CHECK(missingTensors(tensors, matches, true, false) == std::vector<std::size_t>{2});
}

}  // namespace entry_matches_test
