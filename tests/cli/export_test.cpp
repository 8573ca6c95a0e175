// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/whole_file.h"
#include "tests/support/catch.h"
#include "tests/support/run_program.h"

#include <string>
#include <vector>

namespace export_test {

using namespace calibscope;
using test::containsText;
using test::ProgramRun;
using test::runProgram;

const std::string sample = CALIBSCOPE_SOURCE_DIR "/resources/sample/sample.h5";

ProgramRun exported(const std::string& format, std::vector<std::string> more = {})
{
    std::vector<std::string> arguments{"export", sample, "--format", format};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return runProgram("calib", arguments);
}

TEST_CASE("export writes a cache of thresholds as float32 scales, and leaves weights out")
{
    const ProgramRun run = exported("tensorrt-cache", {"--calibrator", "min-max"});
    CHECK(run.exitCode == 0);
    CHECK_THAT(run.output, containsText("TRT-8501-EntropyCalibration2\n"));
    // NumPy: np.float32(3.949758529663086 / 127).view(np.uint32) is 3cfec665.
    CHECK_THAT(run.output, containsText("\nbatch_norm_3.tmp_2: 3cfec665\n"));
    CHECK_THAT(run.output, !containsText("conv2d_10.w_0"));
    CHECK_THAT(run.errors, containsText("decided tensors are left out: TensorRT calibration cache "
                                        "has no weights"));
    CHECK_THAT(exported("tensorrt-cache:version=8205,algorithm=MinMaxCalibration",
                        {"--calibrator", "min-max"})
                   .output,
               containsText("TRT-8205-MinMaxCalibration\n"));
}

TEST_CASE("bits are exported where a format has them, scales of groups are refused")
{
    const ProgramRun bits = exported("aimet", {"--calibrator", "min-max", "--bits", "4"});
    CHECK(bits.exitCode == 0);
    CHECK_THAT(bits.output, containsText("\"bitwidth\": 4"));
    const ProgramRun groups =
        exported("aimet", {"--calibrator", "min-max", "--bits", "4", "--granularity", "g8"});
    CHECK(groups.exitCode == 2);
    CHECK(groups.output.empty());
    CHECK_THAT(groups.errors, containsText("has scales for groups, which are not exported "
                                           "(calib materialize --onnx writes them"));
    const ProgramRun cache =
        exported("tensorrt-cache", {"--calibrator", "min-max", "--bits", "16"});
    CHECK(cache.exitCode == 2);
    CHECK_THAT(cache.errors, containsText("has 16 bits; a TensorRT cache can't carry that"));
}

TEST_CASE("what was exported is imported without a finding, at a deviation of 0")
{
    const test::TemporaryFolder folder;
    for (const std::string format :
         {"tensorrt-cache", "ort-json", "ort-cache", "ort-flatbuffers", "aimet", "aimet-1.0.0",
          "glow-profile", "ppq-json", "tensorrt-ranges"}) {
        INFO(format);
        const std::string path = (folder.path() / format).string();
        const ProgramRun written = exported(format, {"--calibrator", "min-max", "-o", path});
        CHECK(written.exitCode == 0);
        const ProgramRun run =
            runProgram("calib", {"import", path, sample, "--columns",
                                 "format,tensor,deviation,clipped_share,level,lints"});
        CHECK(run.exitCode == 0);
        CHECK_THAT(run.output, containsText("\n" + format + ",swish_13.tmp_0,"));
        CHECK_THAT(run.output, !containsText("warning"));
        CHECK_THAT(run.output, !containsText("error"));
    }
}

TEST_CASE("export writes the model's names as far as they are known")
{
    const test::TemporaryFolder folder;
    const std::string map = (folder.path() / "names.csv").string();
    writeWholeFile(map, "tensor,graph_name\nbatch_norm_3.tmp_2,onnx::BatchNorm_7: 1\n");
    const ProgramRun run = exported("tensorrt-cache", {"--calibrator", "min-max", "--map", map});
    CHECK_THAT(run.output, containsText("\nonnx::BatchNorm_7: 1: 3cfec665\n"));
    CHECK_THAT(run.errors, containsText("names are the dump's"));
    const std::string cache = (folder.path() / "model.cache").string();
    writeWholeFile(cache, run.output);
    CHECK_THAT(runProgram("calib", {"import", cache, sample, "--map", map, "--columns",
                                    "entry,tensor,found_by,deviation"})
                   .output,
               containsText("onnx::BatchNorm_7: 1,batch_norm_3.tmp_2,map,"));
}

TEST_CASE("export refuses what a format can't carry, and says what is lost")
{
    const ProgramRun affine =
        exported("tensorrt-cache", {"--calibrator", "min-max", "--scheme", "affine"});
    CHECK(affine.exitCode == 2);
    CHECK(affine.output.empty());
    CHECK_THAT(affine.errors, containsText("has the zero point"));
    CHECK(exported("aimet", {"--calibrator", "min-max", "--scheme", "affine"}).exitCode == 0);
    const ProgramRun half =
        exported("tensorrt-ranges", {"--calibrator", "min-max:divisor=qmax+0.5"});
    CHECK_THAT(half.errors, containsText("programs that read the file make"));
    // A scale that was raised to its floor is not that of the ends; a symmetric one's low end is
    // wider than the threshold.
    for (const std::string format : {"ort-json", "ort-json-pairs", "glow-profile"}) {
        INFO(format);
        const ProgramRun raised =
            exported(format, {"--calibrator", "min-max:scale-floor=0.5", "--scheme", "affine"});
        CHECK(raised.exitCode == 0);
        CHECK_THAT(raised.errors, containsText("its scale is 0.5; programs that read the file "
                                               "make "));
        CHECK_THAT(exported(format, {"--calibrator", "min-max", "--scheme", "affine"}).errors,
                   !containsText("programs that read"));
        CHECK_THAT(
            exported(format, {"--calibrator", "min-max", "--scheme", "symmetric-full"}).errors,
            containsText("a reader's symmetric mode makes the scale"));
        CHECK_THAT(exported(format, {"--calibrator", "min-max", "--scheme", "symmetric-restricted"})
                       .errors,
                   !containsText("symmetric mode"));
    }
    CHECK(exported("nothing", {"--calibrator", "min-max"}).exitCode == 2);
    CHECK(exported("ppq-weights", {"--calibrator", "min-max"}).exitCode == 2);
    CHECK(exported("tensorrt-cache").exitCode == 2);
    CHECK(exported("tensorrt-cache", {"--calibrator", "min-max", "-o", sample}).exitCode == 2);
}

TEST_CASE("what ONNX Runtime divides by 127 is the threshold, though a full range ends further out")
{
    // NumPy: the largest magnitude of batch_norm_3.tmp_2 is 3.9497585, the low end of its full
    // range 128 / 127 times as far.
    const ProgramRun run =
        exported("ort-cache", {"--calibrator", "min-max", "--scheme", "symmetric-full"});
    CHECK_THAT(run.output, containsText("batch_norm_3.tmp_2 3.9497585\n"));
    CHECK_THAT(run.errors, !containsText("its scale is"));
}

TEST_CASE("export tells of a scale that comes out as 0")
{
    const ProgramRun run =
        runProgram("calib", {"export", CALIBSCOPE_SOURCE_DIR "/tests/golden/all_zero.h5",
                             "--format", "tensorrt-cache", "--calibrator", "min-max"});
    CHECK(run.exitCode == 0);
    CHECK_THAT(run.output, containsText(": 00000000\n"));
    CHECK_THAT(run.errors, containsText("a threshold is 0, as of nothing but zeros"));
}

}  // namespace export_test
