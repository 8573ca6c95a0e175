// SPDX-License-Identifier: GPL-3.0-or-later
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

namespace python_test {

using namespace calibscope;
using namespace calibscope::test;
using nlohmann::json;

const std::string sample = CALIBSCOPE_SOURCE_DIR "/resources/sample/sample.h5";

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

/// "index value pattern decoded" of each value, as `calib encode --block` has them.
std::vector<std::array<double, 4>> encodedRows(const Words& words)
{
    std::vector<std::array<double, 4>> rows;
    for (const json& row :
         json::parse(calib(joined({"encode"}, joined(words, {"--format", "json"})))))
        rows.push_back(
            {numberOf(row.at("index")), numberOf(row.at("value")),
             static_cast<double>(std::stoul(row.at("pattern").get<std::string>(), nullptr, 16)),
             numberOf(row.at("decoded"))});
    return rows;
}

TEST_CASE("python: the snippet of a block prints what calib encode has, bit for bit")
{
    if (!test::withoutH5py().empty()) {
        WARN(test::withoutH5py());
        return;
    }
    const std::string golden = CALIBSCOPE_SOURCE_DIR "/tests/golden/";
    std::vector<Words> blocks;
    const auto add = [&](const std::string& file, const char* tensor, const char* format,
                         const char* block) {
        blocks.push_back({file, "--tensor", tensor, "--number-format", format, "--block", block});
    };
    for (const char* format :
         {"mxfp4", "mxfp4:scale-rule=rceil", "mxfp4:scale-rule=even", "mxfp4:scale-rule=ceil",
          "mxfp6-e2m3", "mxfp6-e3m2", "mxfp8-e4m3", "mxfp8-e5m2", "mxint8", "nvfp4", "nvfp4-1",
          "nvfp4:tensor-maximum=2", "int4-g32", "int4-g32:divisor=qmax+0.5", "uint4-g32",
          "int8-row", "fp8-e4m3fnuz-g32", "nf4-g64", "int8-b4x16"})
        for (const char* block : {"0", "7"})
            add(golden + "format_edges.h5", "x", format, block);
    add(golden + "format_nonfinite.h5", "x", "nvfp4", "2");
    add(golden + "format_ragged.h5", "x", "mxfp4", "3");
    add(sample, "linear_77.w_0", "int4-g32", "5");       // groups down the first axis
    add(sample, "conv2d_106.w_0", "nvfp4", "11");        // several axes as one
    add(sample, "swish_13.tmp_0", "mxfp8-e4m3", "100");  // batches, channels in the middle
    add(sample, "conv2d_106.w_0", "int8-channel", "3");
    Snippets snippets;
    for (const Words& block : blocks)
        snippets.add(joined(block, {"--what", "block"}));
    snippets.run();
    for (std::size_t index = 0; index < blocks.size(); ++index) {
        INFO(blocks[index][0] << " " << blocks[index][4] << ", block " << blocks[index][6]);
        std::istringstream lines(snippets.output(index));
        std::string line;
        std::vector<std::array<double, 4>> rows;
        while (std::getline(lines, line)) {
            std::istringstream words(line);
            std::array<std::string, 4> row;
            if (words >> row[0] >> row[1] >> row[2] >> row[3])
                rows.push_back({std::stod(row[0]), std::stod(row[1]),
                                static_cast<double>(std::stoul(row[2], nullptr, 16)),
                                std::stod(row[3])});
        }
        const auto expected = encodedRows(blocks[index]);
        REQUIRE(rows.size() == expected.size());
        for (std::size_t row = 0; row < rows.size(); ++row)
            for (std::size_t column = 0; column < 4; ++column) {
                const double one = rows[row][column];
                const double other = expected[row][column];
                CHECK((one == other || (std::isnan(one) && std::isnan(other))));
            }
    }
}

TEST_CASE("python: a block that is not to be recomputed is refused with the reason")
{
    const auto refused = [](const Words& words) {
        return runProgram("calib",
                          joined({"python", sample, "--tensor", "linear_77.w_0", "--what", "block"},
                                 words))
            .errors;
    };
    CHECK_THAT(refused({}), containsText("needs --number-format"));
    CHECK_THAT(refused({"--number-format", "q4_0"}), containsText("no Python for q4_0"));
    CHECK_THAT(refused({"--number-format", "nvfp4:search=sweep"}), containsText("no Python"));
    CHECK_THAT(refused({"--number-format", "mxfp4", "--block", "9999999"}),
               containsText("no such block"));
}

}  // namespace python_test
