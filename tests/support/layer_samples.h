// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/recipes/sample_study.h"
#include "core/results/layer_results.h"
#include "tests/support/tested_document.h"
#include "ui/document/edits.h"
#include "ui/document/layer_reader.h"

#include <string>
#include <vector>

namespace calibscope::test {

/// A dump of two layers that can be computed, x1 -> y1 and y1 -> y2, and one that cannot.
inline protocol::DumpOpened layeredDump()
{
    const auto activation = [](const char* name, const char* op,
                               std::vector<std::string> inputs = {}) {
        return TensorInfo{.name = name,
                          .path = std::string("/") + name,
                          .role = Role::Activation,
                          .shape = {8, 4},
                          .batchAxis = 0,
                          .batchSize = 2,
                          .channelAxis = 1,
                          .op = op,
                          .inputs = std::move(inputs)};
    };
    const auto weightCalled = [](const char* name) {
        return TensorInfo{.name = name,
                          .path = std::string("/") + name,
                          .role = Role::Weight,
                          .shape = {4, 4},
                          .channelAxis = 0,
                          .op = "Gemm"};
    };
    return {.identity = {},
            .attributes = {},
            .warnings = {},
            .rules = {},
            .tensors = {activation("x1", "Relu"), weightCalled("w1"),
                        activation("y1", "Gemm", {"x1", "w1"}), weightCalled("w2"),
                        activation("y2", "Gemm", {"y1", "w2"}),
                        activation("y3", "Gemm", {"gone", "w3"})}};
}

inline LayerResult layerOf(const std::string& name, const std::string& input,
                           const std::string& weightName)
{
    return {.layer = name,
            .path = "/" + name,
            .op = "Gemm",
            .input = {.tensor = input, .path = "/" + input},
            .weight = {.tensor = weightName, .path = "/" + weightName, .isWeight = true},
            .whyNot = {}};
}

inline protocol::LayerList layerList()
{
    LayerResult lacking = layerOf("y3", "gone", "w3");
    lacking.input.path.clear();
    lacking.weight.path.clear();
    lacking.whyNot = "input `gone` is not in the dump";
    return {.layers = {layerOf("y1", "x1", "w1"), layerOf("y2", "y1", "w2"), lacking}};
}

/// The answer to a request, with that SQNR of the output; the input's part is 1 dB above it, the
/// weight's 6 dB.
inline LayerResult layerAnswer(const protocol::LayerRequest& request, double sqnrDb)
{
    LayerResult result =
        request.layer == "y1" ? layerOf("y1", "x1", "w1") : layerOf("y2", "y1", "w2");
    result.outputSqnrDb = sqnrDb;
    result.outputAcDb = sqnrDb - 2.0;
    result.inputDb = sqnrDb + 1.0;
    result.weightDb = sqnrDb + 6.0;
    result.residual = 3e-7;
    result.of = 10000;
    result.positions = request.positions == 0 ? result.of : request.positions;
    if (result.positions < result.of)
        result.intervalDb = request.positions < 1000 ? 1.5 : 0.25;
    result.attributes = "recorded";
    result.biasGainDb = 0.5;
    if (request.perChannel)
        result.channels = {.signal = {4.0, 1.0, 0.0, 9.0},
                           .noise = {0.25, 0.04, 0.0, 0.01},
                           .meanError = {0.3, -0.1, 0.0, 0.01},
                           .gainDb = {1.9, 1.2, 0.0, 0.0},
                           .isDead = {false, false, true, false}};
    return result;
}

/// What its candidates would change: of each operand the first is what was decided, the second 6.1
/// dB better on the input, the third worse.
inline LayerCandidates layerTrials(const protocol::LayerTrialsRequest& request)
{
    LayerCandidates found;
    found.decided = layerAnswer(request.layer, 20.0);
    for (const protocol::ChoiceOnTensor& candidate : request.candidates) {
        const bool isInput = candidate.path == found.decided.input.path;
        std::vector<CandidateEffect>& effects = isInput ? found.input : found.weight;
        const double change = effects.empty()       ? 0.0
                              : effects.size() == 1 ? (isInput ? 6.1 : 0.2)
                                                    : -3.0;
        effects.push_back({.candidate = candidate.id,
                           .label = candidate.label,
                           .isDecided = effects.empty(),
                           .outputSqnrDb = 20.0 + change,
                           .differenceDb = change,
                           .problem = {}});
    }
    found.bestInput = 1;
    found.bestWeight = 1;
    found.bestSqnrDb = 26.4;
    found.bestDifferenceDb = 6.4;
    return found;
}

/// A study in which the threshold settles late.
inline SampleStudy unconvergedStudy(const Choice& choice)
{
    SampleStudy study;
    study.choice = choice;
    study.unit = SampleUnit::Batch;
    study.units = study.batches = 4;
    study.samples = 8;
    study.resamples = 200;
    study.seed = 1;
    study.threshold = 4.0;
    study.scale = 4.0 / 127.0;
    study.thresholdBand = SampleBand{.low = 3.0, .high = 4.5};
    for (std::uint64_t units = 1; units <= 4; ++units)
        study.curve.push_back(
            {.units = units,
             .threshold = static_cast<double>(units),
             .sqnrDb = 20.0 + static_cast<double>(units),
             .thresholdBand = SampleBand{.low = 0.8 * static_cast<double>(units),
                                         .high = 1.1 * static_cast<double>(units)},
             .sqnrBandDb = {}});
    findConverged(study);
    return study;
}

/// A document with that dump; its layers are answered by hand.
struct LayeredDocument : TestedDocument
{
    LayeredDocument()
    {
        edits::chooseRecipe(document, "rebellions-vision");
        document.open("/somewhere/layers.h5");
        FakeEngine::answer(waited.opens, layeredDump());
        document.select(0);
        if (!waited.views.empty())
            answerView();
        while (!background.previews.empty())
            FakeEngine::answer(background.previews, protocol::Preview{});
    }
    LayerReader& layers() { return document.questions().layers(); }
    void list() { FakeEngine::answer(background.layerLists, layerList()); }
    void answerLayer(double sqnrDb)
    {
        REQUIRE_FALSE(background.layers.empty());
        FakeEngine::answer(background.layers,
                           layerAnswer(background.layers.front().request, sqnrDb));
    }
    /// All of it: y1 with 30 dB, y2 with 20 dB.
    void answerAll()
    {
        while (!background.layers.empty())
            answerLayer(background.layers.front().request.layer == "y1" ? 30.0 : 20.0);
    }
};

}  // namespace calibscope::test
