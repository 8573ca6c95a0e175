// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/python_snippets.h"

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace python_presets_test {

using namespace calibscope;
using namespace calibscope::test;
using nlohmann::json;

const std::string sample = CALIBSCOPE_SOURCE_DIR "/resources/sample/sample.h5";

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

}  // namespace python_presets_test
