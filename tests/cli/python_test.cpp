#include "tests/support/python_snippets.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <map>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

using namespace calibscope;
using namespace calibscope::test;
using nlohmann::json;

namespace {

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

}  // namespace

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

/// What the snippets of those presets print for a tensor is what `calib scales` has, digit by
/// digit.
void checkPresets(const std::vector<std::string>& presets, const Words& tensor)
{
    Snippets snippets;
    std::vector<json> expected;
    for (const std::string& preset : presets) {
        const Words words = joined(tensor, {"--granularity", "tensor", "--preset", preset});
        snippets.add(words);
        expected.push_back(
            json::parse(calib(joined({"scales"}, joined(words, {"--format", "json"}))))
                .at("outcomes")
                .at(0));
    }
    snippets.run();
    for (std::size_t index = 0; index < expected.size(); ++index) {
        const Numbers numbers = snippets.numbers(index);
        CHECK(numbers.contains("scale"));
        for (const auto& [name, value] : numbers) {
            INFO(presets[index] << " of " << tensor[2] << ": " << name);
            CHECK(value == scalesNumber(expected[index], name));
        }
    }
}

// NumPy's logarithms and its order of sums could decide a near tie otherwise: on these tensors none
// does, so that all numbers are the same.
TEST_CASE("python: snippets of other tools' presets give the numbers of calib scales")
{
    if (!test::withoutH5py().empty()) {
        WARN(test::withoutH5py());
        return;
    }
    std::vector<std::string> presets{"google-tpu-affine", "torch-minmax-affine",
                                     "torch-minmax-symmetric"};
    for (const std::string tool :
         {"ort-percentile", "ppq-mse", "ppq-percentile", "aimet-tf-enhanced", "aimet-percentile",
          "aimet-mse", "aimet-entropy"})
        for (const std::string scheme : {"-symmetric", "-asymmetric"})
            presets.push_back(tool + scheme);
    for (const std::string tool : {"tf-enhanced", "percentile", "mse", "entropy"})
        presets.push_back("aimet-" + tool + "-symmetric-strict");
    for (const std::string preset :
         {"ort-entropy", "ppq-kl", "torchao-histogram-affine", "torchao-histogram-symmetric",
          "torch-histogram-affine", "torch-histogram-symmetric"})
        presets.push_back(preset);
    const std::string golden = CALIBSCOPE_SOURCE_DIR "/tests/golden/";
    checkPresets(presets, {golden + "stream3.h5", "--tensor", "x", "--batch-size", "1"});
    checkPresets(presets, {golden + "laplace.h5", "--tensor", "x"});
    checkPresets(presets, {golden + "constant.h5", "--tensor", "x"});
    checkPresets(presets, {golden + "all_zero.h5", "--tensor", "x"});
    checkPresets(presets, {sample, "--tensor", "swish_13.tmp_0"});
}

TEST_CASE("python: snippets of the tools that search thousands of bins give calib's numbers")
{
    if (!test::withoutH5py().empty()) {
        WARN(test::withoutH5py());
        return;
    }
    const std::vector<std::string> presets{"mxnet-entropy-255", "mxnet-entropy-511", "ncnn-kl"};
    checkPresets(presets, {sample, "--tensor", "swish_13.tmp_0"});
    checkPresets(presets, {sample, "--tensor", "p2o.Add.235"});
}

TEST_CASE("python: snippets of the statistics give the numbers of calib stats")
{
    if (!test::withoutH5py().empty()) {
        WARN(test::withoutH5py());
        return;
    }
    const json rows = json::parse(calib({"stats", sample, "--format", "json"}));
    REQUIRE(rows.size() == 30);
    Snippets snippets;
    for (const json& row : rows)
        snippets.add({sample, "--tensor", row.at("tensor"), "--what", "statistics"});
    snippets.run();
    for (std::size_t index = 0; index < rows.size(); ++index) {
        const Numbers numbers = snippets.numbers(index);
        CHECK(numbers.size() == 15);
        checkStatistics(numbers, rows[index]);
    }
}

TEST_CASE("python: snippets of histograms print the rows of calib histogram")
{
    if (!test::withoutH5py().empty()) {
        WARN(test::withoutH5py());
        return;
    }
    const std::vector<Words> specs = {{"--growth", "double"},
                                      {"--growth", "redistribute"},
                                      {"--growth", "redistribute", "--domain", "magnitude"},
                                      {"--growth", "fixed", "--bins", "100"},
                                      {"--growth", "fixed", "--domain", "signed"},
                                      {"--growth", "fixed-torch", "--domain", "signed"},
                                      {"--growth", "centred-numpy", "--bins", "101"},
                                      {"--growth", "as-needed-single", "--bins", "100"}};
    Snippets snippets;
    std::vector<std::string> expected;
    for (const std::string tensor : {"swish_13.tmp_0", "softmax_9.tmp_0", "relu_0.tmp_0"})
        for (const Words& spec : specs) {
            const Words words = joined({sample, "--tensor", tensor}, spec);
            snippets.add(joined(words, {"--what", "histogram"}));
            expected.push_back(calib(joined({"histogram"}, words)));
        }
    snippets.run();
    for (std::size_t index = 0; index < expected.size(); ++index) {
        std::istringstream shown(snippets.output(index));
        std::string rows = expected[index];
        std::ranges::replace(rows, ',', ' ');
        std::istringstream told(rows);
        std::string one;
        std::string other;
        for (int word = 0; word < 3; ++word)
            CHECK((shown >> one && told >> other && one == other));
        double value = 0.0;
        std::size_t count = 0;
        for (; told >> value; ++count) {
            double own = -1.0;
            shown >> own;
            if (own != value)
                FAIL("number " << count << " of snippet " << index << ": " << own << " for "
                               << value);
        }
        CHECK_FALSE(shown >> one);
        CHECK(count >= 300);
    }
}

TEST_CASE("python: snippets of curves give the curves of calib scales")
{
    if (!test::withoutH5py().empty()) {
        WARN(test::withoutH5py());
        return;
    }
    const std::vector<std::pair<std::string, std::string>> choices = {
        {"entropy", "swish_13.tmp_0"},
        {"kl-window:growth=fixed", "swish_13.tmp_0"},
        {"mse:bins=256", "swish_13.tmp_0"},
        {"bound-search", "conv2d_10.w_0"},
        {"multiplier-sweep:rounding=floor-half", "conv2d_10.w_0"}};
    Snippets snippets;
    std::vector<json> expected;
    for (const auto& [calibrator, tensor] : choices) {
        const Words words = {sample,     "--tensor",      tensor,  "--calibrator",
                             calibrator, "--granularity", "tensor"};
        snippets.add(joined(words, {"--what", "curve"}));
        expected.push_back(
            json::parse(calib(joined({"scales"}, joined(words, {"--curves", "--format", "json"}))))
                .at("outcomes")
                .at(0)
                .at("curve"));
    }
    snippets.run();
    for (std::size_t index = 0; index < expected.size(); ++index) {
        INFO(choices[index].first);
        std::istringstream lines(snippets.output(index));
        std::string header;
        std::getline(lines, header);
        CHECK(header == "threshold value");
        std::string threshold;
        std::string value;
        std::size_t points = 0;
        for (; lines >> threshold >> value; ++points) {
            const double told = numberOf(expected[index].at("objective").at(points));
            const double own = std::stod(value);
            // Prefix sums cancel: a curve is drawn to nine digits.
            CHECK((own == told || std::abs(own - told) <= 1e-9 * (1.0 + std::abs(told))));
            CHECK(isSame("threshold", std::stod(threshold),
                         numberOf(expected[index].at("threshold").at(points))));
        }
        CHECK(points == expected[index].at("objective").size());
    }
}

TEST_CASE("python: parts, axes, NaN and small floats are read as calib reads them")
{
    if (!test::withoutH5py().empty()) {
        WARN(test::withoutH5py());
        return;
    }
    const test::TemporaryFolder folder;
    test::runH5py(folder,
                  "with h5py.File('d.h5', 'w') as file:\n"
                  "    for part in range(3):\n"
                  "        file[f'activations/parts/{part}'] = np.arange(8, dtype='f4')"
                  ".reshape(2, 4) * (part - 1)\n"
                  "    odd = np.arange(24.).reshape(3, 2, 4)\n"
                  "    odd[1, 1, :3] = np.nan, np.inf, 1e300\n"
                  "    data = file.create_dataset('activations/odd', data=odd)\n"
                  "    data.attrs.update(batch_axis=1, batch_size=1, channel_axis=0)\n"
                  "    file['weights/bits8'] = np.arange(256, dtype='u1').reshape(16, 16)\n"
                  "    file['weights/bits16'] = np.arange(0x3c00, 0x4400, 3, dtype='u2')\n");
    const std::string dump = folder.file("d.h5");
    std::vector<Words> asked = {{dump, "--tensor", "parts"},
                                {dump, "--tensor", "odd"},
                                {dump, "--tensor", "odd", "--batches", "1"}};
    for (const std::string type : {"bfloat16", "float16"})
        asked.push_back({dump, "--tensor", "bits16", "--type", type});
    for (const std::string type : {"float8_e4m3fn", "float8_e5m2", "float8_e4m3", "float8_e4m3fnuz",
                                   "float8_e5m2fnuz", "float8_e4m3b11fnuz"})
        asked.push_back({dump, "--tensor", "bits8", "--type", type});
    Snippets snippets;
    for (const Words& words : asked)
        snippets.add(joined(words, {"--what", "statistics"}));
    snippets.run();
    for (std::size_t index = 0; index < asked.size(); ++index) {
        INFO(asked[index].back());
        const json row =
            json::parse(calib(joined({"stats", "--format", "json"}, asked[index]))).at(0);
        const Numbers numbers = snippets.numbers(index);
        CHECK(numbers.size() > 10);
        checkStatistics(numbers, row);
    }
}

TEST_CASE("python: a propagated range is found through the tensors that it comes from")
{
    if (!test::withoutH5py().empty()) {
        WARN(test::withoutH5py());
        return;
    }
    const test::TemporaryFolder folder;
    test::runH5py(folder, "with h5py.File('d.h5', 'w') as file:\n"
                          "    x = file.create_dataset('activations/x', data=np.arange(-3., 5.))\n"
                          "    x.attrs['op_type'] = 'Conv'\n"
                          "    y = file.create_dataset('activations/y', data=np.arange(7.))\n"
                          "    y.attrs['op_type'] = 'MaxPool'\n"
                          "    y.attrs['inputs'] = ['x']\n");
    const Words words = {folder.file("d.h5"), "--tensor", "x", "--recipe", "nvidia-fractional"};
    const json outcome =
        json::parse(calib(joined({"scales", "--format", "json"}, words))).at("outcomes").at(0);
    CHECK_THAT(outcome.at("notes").get<std::string>(), containsText("propagated from y"));
    Snippets snippets;
    snippets.add(words);
    snippets.add(joined(words, {"--what", "metrics"}));
    snippets.run();
    checkNumbers(snippets.numbers(0), outcome);
    checkNumbers(snippets.numbers(1), outcome);
    CHECK(snippets.numbers(0).at("threshold") == 0.999 * 6.0);
}

TEST_CASE("python: without exactly one calibration, or for what has no Python, a sentence says so")
{
    const auto refusal = [](const Words& more) {
        const ProgramRun run =
            runProgram("calib", joined({"python", sample, "--tensor", "swish_13.tmp_0"}, more));
        CHECK(run.exitCode == 2);
        CHECK(run.output.empty());
        return run.errors;
    };
    CHECK_THAT(refusal({}), containsText("8 calibrations apply; give exactly one"));
    CHECK_THAT(refusal({"--recipe", "google-tpu"}), containsText("0 calibrations apply"));
    CHECK(refusal({"--preset", "glow-512-asymmetric-kl"}) ==
          "calib: no Python for zero-point=from-nearer-end: it copies a tool's order of "
          "rounding\n");
    CHECK_THAT(refusal({"--what", "plot"}), containsText("there is no snippet of plot"));
    CHECK_THAT(refusal({"--what", "statistics", "--channel", "240"}),
               containsText("swish_13.tmp_0: has 240 channels"));
}

// 16 641 pairs of ends: seconds for each channel, but for those that clipping alone rules out.
TEST_CASE("python: an affine range with the least error of a channel, either density")
{
    if (!test::withoutH5py().empty()) {
        WARN(test::withoutH5py());
        return;
    }
    Snippets snippets;
    std::vector<json> outcomes;
    for (const std::string settings : {"", ":density=centre"}) {
        const Words words = {sample,           "--tensor", "weights/linear_77.w_0",
                             "--channel",      "7",        "--calibrator",
                             "mse" + settings, "--scheme", "affine"};
        const json all =
            json::parse(calib(joined({"scales"}, joined(words, {"--format", "json"}))));
        outcomes.push_back(all.at("outcomes").at(0));
        outcomes.back()["recipe"] = "mse" + settings;
        snippets.add(words);
    }
    snippets.run();
    for (std::size_t index = 0; index < outcomes.size(); ++index)
        checkNumbers(snippets.numbers(index), outcomes[index]);
}
