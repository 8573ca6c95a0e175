// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/catch.h"
#include "tests/support/dump_lines.h"
#include "tests/support/h5py.h"

#include <map>
#include <string>
#include <vector>

namespace foreign_dumps_test {

using namespace calibscope;

using Lines = std::vector<std::string>;

const std::string script = std::string(CALIBSCOPE_SOURCE_DIR) + "/tests/support/foreign_dumps.py";

const Lines keras2Weights{
    "conv1/kernel:0 | weight | 3 x 3 x 3 x 8 | batch - | channel 3 | keras-2",
    "conv1/bias:0 | weight | 8 | batch - | channel - | keras-2",
    "depthwise/depthwise_kernel:0 | weight | 3 x 3 x 8 x 1 | batch - | channel 2 | keras-2",
    "bn/gamma:0 | weight | 8 | batch - | channel - | keras-2",
    "bn/beta:0 | weight | 8 | batch - | channel - | keras-2",
    "bn/moving_mean:0 | weight | 8 | batch - | channel - | keras-2",
    "bn/moving_variance:0 | weight | 8 | batch - | channel - | keras-2",
    "up_transpose/kernel:0 | weight | 2 x 2 x 4 x 8 | batch - | channel 2 | keras-2",
    "fc/kernel:0 | weight | 16 x 10 | batch - | channel 1 | keras-2"};

const Lines keras3Weights{
    "batch_normalization/0 | weight | 8 | batch - | channel - | keras-3",
    "batch_normalization/1 | weight | 8 | batch - | channel - | keras-3",
    "batch_normalization/2 | weight | 8 | batch - | channel - | keras-3",
    "batch_normalization/3 | weight | 8 | batch - | channel - | keras-3",
    "stem/0 | weight | 3 x 3 x 3 x 8 | batch - | channel 3 | keras-3",
    "stem/1 | weight | 8 | batch - | channel - | keras-3",
    "conv2d_transpose/0 | weight | 2 x 2 x 4 x 8 | batch - | channel 2 | keras-3",
    "dense/0 | weight | 16 x 10 | batch - | channel 1 | keras-3",
    "dropout/seed_generator/0 | it is a random generator's state, which is not quantized",
    "embedding/0 | weight | 100 x 16 | batch - | channel 0 | keras-3",
    "functional/depthwise_conv2d/0 | weight | 3 x 3 x 8 x 1 | batch - | channel 2 | keras-3",
    "optimizer/0 | it is the optimizer's state, which is not quantized"};

Lines with(Lines lines, const Lines& more)
{
    lines.insert(lines.end(), more.begin(), more.end());
    return lines;
}

const std::map<std::string, Lines> expected{
    {"hooks_nested",
     {"fc | activation | 4 x 10 | batch 0 | channel 1 | path-words?",
      "layer1/0/conv1 | activation | 4 x 16 x 8 x 8 | batch 0 | channel 1 | path-words?",
      "layer1/0/relu | activation | 4 x 16 x 8 x 8 | batch 0 | channel 1 | path-words?",
      "layer2/0/conv1 | activation | 4 x 16 x 8 x 8 | batch 0 | channel 1 | path-words?"}},
    {"hooks_dotted",
     {"layer1.0.conv1 | activation | 4 x 16 x 8 x 8 | batch 0 | channel 1 | shapes?",
      "layer1.1.conv1 | activation | 4 x 16 x 8 x 8 | batch 0 | channel 1 | shapes?"}},
    {"tuples",
     {"embedding | activation | 8 x 5 x 16 | batch 0 | channel 2 | path-words?",
      "lstm/0 | activation | 8 x 5 x 32 | batch 0 | channel 2 | path-words?",
      "lstm/1 | activation | 8 x 5 x 32 | batch 0 | channel 2 | path-words?"}},
    {"onnxruntime",
     {"block/Relu_output_0 | activation | 368 | batch 0:32 | channel - | numbered-batches?",
      "conv1 | activation | 720 | batch 0:64 | channel - | numbered-batches?"}},
    {"keras2_model",
     with(keras2Weights, {"optimizer_weights/Adam/conv1/kernel/m:0 | it is the optimizer's state, "
                          "which is not quantized",
                          "optimizer_weights/Adam/iter:0 | it is a single value, not a tensor"})},
    {"keras2_weights", keras2Weights},
    {"keras3", keras3Weights},
    {"keras3_bfloat16", keras3Weights},
    {"keras3_older", keras3Weights},
    {"images",
     {"first | activation | 4 x 3 x 8 x 8 | batch 0 | channel 1 | path-words?",
      "last | activation | 4 x 8 x 8 x 3 | batch 0 | channel 3 | path-words?",
      "open | activation | 4 x 6 x 8 x 10 | batch 0 | channel 1 | path-words?",
      "stated | activation | 4 x 6 x 8 x 10 | batch 0 | channel 3 | explicit-attributes"}},
    {"junk",
     {"axis | it is a scale of an axis, which is not quantized",
      "empty | it has no values: one of its axes has length 0",
      "flags | it holds booleans; only numbers are read",
      "good | activation | 4 x 2 | batch 0 | channel 1 | shapes?",
      "image | it is an image, which is not quantized",
      "nothing | it has no values at all (a null dataspace)",
      "records | it holds records of several members; only numbers are read",
      "references | it holds references to other objects; only numbers are read",
      "rows | it holds rows of different lengths; only numbers are read",
      "scalar | it is a single value, not a tensor",
      "texts | it holds texts; only numbers are read"}},
    {"roles",
     {"a | activation | 4 x 6 | batch 0 | channel 1 | explicit-attributes?",
      "b | weight | 6 x 4 | batch - | channel 1 | explicit-attributes",
      "c | weight | 2 x 2 x 8 x 4 | batch - | channel 3 | explicit-attributes",
      "d | weight | 16 x 8 x 2 x 2 | batch - | channel 1 | explicit-attributes",
      "e | activation | 5 x 4 x 8 | batch 1:2 | channel 2 | explicit-attributes",
      "f | weight | 4 | batch - | channel - | explicit-attributes"}},
};

TEST_CASE("dumps of other programs, written with h5py, are understood without a word from the user")
{
    if (!test::withoutH5py().empty()) {
        WARN(test::withoutH5py());
        return;
    }
    const test::TemporaryFolder folder;
    test::runH5py(folder, "import runpy, sys\nsys.argv = ['', '.']\nrunpy.run_path('" + script +
                              "', run_name='__main__')\n");
    for (const auto& [dump, lines] : expected) {
        CAPTURE(dump);
        CHECK(test::linesOf(folder.file(dump + ".h5")) == lines);
    }
}

}  // namespace foreign_dumps_test
