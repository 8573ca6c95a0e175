// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/python_snippets.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace python_recipes_test {

using namespace calibscope;
using namespace calibscope::test;
using nlohmann::json;

const std::string sample = CALIBSCOPE_SOURCE_DIR "/resources/sample/sample.h5";

/// Searches in plain NumPy take seconds where they try 16 641 ranges, or every bin of every
/// channel: these are tried on tensors that stand for all: one without and one with negative
/// values, and one of few channels.
bool isQuickEnough(const json& outcome)
{
    const std::string tensor = outcome.at("tensor");
    const std::string calibrator = outcome.at("calibrator");
    if (calibrator == "mse")
        return tensor == "hardsigmoid_2.tmp_0" || tensor == "p2o.Add.235";
    if (calibrator == "entropy" && outcome.contains("channels"))
        return tensor == "conv2d_10.w_0";
    return true;
}

const Words everyRecipe = {"--recipe", "rebellions-vision",
                           "--recipe", "rebellions-language",
                           "--recipe", "moffett-cnn",
                           "--recipe", "moffett-cnn-open",
                           "--recipe", "moffett-cnn-kl-weights",
                           "--recipe", "moffett-bert",
                           "--recipe", "nvidia-entropy",
                           "--recipe", "nvidia-entropy-open",
                           "--recipe", "nvidia-fractional",
                           "--recipe", "nvidia-dlrm",
                           "--recipe", "google-tpu",
                           "--recipe", "google-tpu-search",
                           "--recipe", "qualcomm-mse",
                           "--recipe", "qualcomm-kl",
                           "--recipe", "qualcomm-percentile"};

/// The outcomes of all recipes on the sample, equal computations once.
std::vector<json> sampleOutcomes()
{
    const json all = json::parse(
        calib(joined({"scales", sample, "--rows", "channel", "--format", "json"}, everyRecipe)));
    std::vector<json> outcomes;
    std::vector<std::string> seen;
    for (const json& outcome : all.at("outcomes")) {
        const std::string computation = outcome.at("tensor").get<std::string>() + "\n" +
                                        outcome.at("calibrator").get<std::string>() + "\n" +
                                        outcome.at("settings").get<std::string>() + "\n" +
                                        outcome.at("scheme").get<std::string>() + "\n" +
                                        outcome.value("channel", "");
        if (std::ranges::find(seen, computation) != seen.end() || !isQuickEnough(outcome))
            continue;
        seen.push_back(computation);
        outcomes.push_back(outcome);
    }
    return outcomes;
}

Words wordsOf(const json& outcome, const std::string& what)
{
    return {sample,   "--tensor", outcome.at("tensor"), "--recipe", outcome.at("recipe"),
            "--what", what};
}

TEST_CASE("python: snippets of every recipe on the sample give the numbers of calib scales")
{
    if (!test::withoutH5py().empty()) {
        WARN(test::withoutH5py());
        return;
    }
    const std::vector<json> outcomes = sampleOutcomes();
    Snippets snippets;
    std::vector<std::pair<std::size_t, json>> asked;
    for (const json& outcome : outcomes) {
        asked.emplace_back(snippets.add(wordsOf(outcome, "scale")), outcome);
        // The errors of a search would run it again.
        const std::string calibrator = outcome.at("calibrator");
        if (calibrator != "entropy" && calibrator != "mse" && calibrator != "kl-window")
            asked.emplace_back(snippets.add(wordsOf(outcome, "metrics")), outcome);
    }
    CHECK(outcomes.size() > 100);
    snippets.run();
    for (const auto& [index, outcome] : asked)
        checkNumbers(snippets.numbers(index), outcome);
}

TEST_CASE("python: snippets of what no recipe uses give the numbers of calib scales")
{
    if (!test::withoutH5py().empty()) {
        WARN(test::withoutH5py());
        return;
    }
    const std::vector<Words> choices = {
        {"--preset", "ncnn-aciq"},
        {"--preset", "aimet-tf-asymmetric"},
        {"--preset", "aimet-tf-symmetric"},
        {"--preset", "aimet-tf-symmetric-strict"},
        {"--calibrator", "aciq:count=all,bits=4"},
        {"--calibrator", "aciq:count=last-batch"},
        {"--calibrator", "aciq", "--scheme", "affine"},
        {"--calibrator", "percentile:alpha=99.9,domain=magnitude", "--scheme", "affine"},
        {"--calibrator", "percentile:alpha=99.9,estimator=hist-left", "--scheme", "affine"},
        {"--calibrator", "percentile:alpha=99.9,estimator=hist-linear,tails=full", "--scheme",
         "affine"},
        {"--calibrator", "percentile:alpha=50,zero-in-range=no", "--scheme", "affine-real"},
        {"--calibrator", "percentile:alpha=50,zero-in-range=no,estimator=hist-left", "--scheme",
         "affine"},
        {"--calibrator", "percentile:alpha=99,batches=averaged,domain=signed"},
        {"--calibrator", "min-max:zero-in-range=no", "--scheme", "affine"},
        {"--calibrator", "kl-window:zero-may-leave=yes,levels=15,bins=64", "--scheme", "affine"}};
    Snippets snippets;
    std::vector<json> expected;
    for (const Words& choice : choices) {
        const Words words =
            joined({sample, "--tensor", "swish_13.tmp_0", "--granularity", "tensor"}, choice);
        snippets.add(joined(words, {"--what", "scale"}));
        expected.push_back(
            json::parse(calib(joined({"scales"}, joined(words, {"--format", "json"}))))
                .at("outcomes")
                .at(0));
    }
    snippets.run();
    for (std::size_t index = 0; index < expected.size(); ++index) {
        INFO(choices[index].back());
        checkNumbers(snippets.numbers(index), expected[index]);
    }
}

}  // namespace python_recipes_test
