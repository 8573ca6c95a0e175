// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/catch.h"
#include "tests/support/file_bytes.h"
#include "tests/support/h5_file.h"
#include "tests/support/npy_files.h"
#include "tests/support/run_program.h"

#include <filesystem>
#include <numeric>

namespace convert_test {

using namespace calibscope;
using namespace calibscope::test;

ProgramRun converted(const std::vector<std::string>& files, const std::string& to)
{
    std::vector<std::string> arguments{"convert", "-o", to};
    arguments.insert(arguments.end(), files.begin(), files.end());
    return runProgram("calib", arguments);
}

TEST_CASE("a converted dump gives the same scales, attributes and feeds")
{
    const TemporaryFolder folder;
    const std::string sample = CALIBSCOPE_SOURCE_DIR "/resources/sample/sample.h5";
    const std::string dump = folder.file("dump.h5");
    const ProgramRun run = converted({sample}, dump);
    CHECK(run.errors == "calib: " + dump + ": 30 tensors\n");
    CHECK(run.exitCode == 0);
    for (const std::vector<std::string>& asked :
         {std::vector<std::string>{"scales", "--recipe", "qualcomm-mse", "--columns",
                                   "tensor,threshold,scale,sqnr_db"},
          {"scales", "--recipe", "nvidia-entropy", "--columns", "tensor,threshold,scale,sqnr_db"},
          {"layers", "--recipe", "rebellions-vision", "--columns",
           "layer,op,input,weight,output_sqnr_db,attributes"},
          {"samples", "--calibrator", "min-max", "--columns",
           "tensor,threshold,threshold_low,samples,unit"},
          {"info", "--columns",
           "tensor,role,type,shape,batch_axis,channel_axis,batches,op,guess"}}) {
        std::vector<std::string> ofSample = asked;
        ofSample.push_back(sample);
        std::vector<std::string> ofDump = asked;
        ofDump.push_back(dump);
        const ProgramRun before = runProgram("calib", ofSample);
        const ProgramRun after = runProgram("calib", ofDump);
        REQUIRE(before.exitCode == 0);
        CHECK(after.output == before.output);
    }
    CHECK(runProgram("calib", {"check-dump", dump}).exitCode == 0);
    // Once more, of itself: the same bytes.
    const std::string again = folder.file("again.h5");
    CHECK(converted({dump}, again).exitCode == 0);
    CHECK(readBytes(again) == readBytes(dump));
}

TEST_CASE("a folder of NumPy's files and one of safetensors become one dump")
{
    const TemporaryFolder folder;
    const std::string recorded = folder.file("recorded");
    std::filesystem::create_directories(recorded + "/activations/block");
    std::vector<float> values(24);
    std::iota(values.begin(), values.end(), -7.5F);
    writeBytes(recorded + "/activations/block/conv.npy",
               npyOf("<f4", "(2, 3, 4)", bytesOfElements(values)));
    const std::vector<std::int64_t> tokens{1, -2, std::int64_t{1} << 24, 16777217};
    writeBytes(recorded + "/tokens.npy", npyOf("<i8", "(4,)", bytesOfElements(tokens)));
    writeBytes(recorded + "/half.npy", npyOf("<f2", "(2,)", std::string("\x00\x3c\x01\x00", 4)));
    const std::string header =
        R"({"net.conv.weight":{"dtype":"BF16","shape":[3,2],"data_offsets":[0,12]}})";
    const std::string weights = folder.file("w.safetensors");
    writeBytes(weights, littleEndian(header.size(), 8) + header +
                            std::string("\x00\x3f\xfe\xc2\x00\x3f\xfe\x41\xc0\xbe\x48\x41", 12));
    const std::string dump = folder.file("dump.h5");
    const ProgramRun run = converted({recorded, weights}, dump);
    CHECK(run.exitCode == 0);
    CHECK_THAT(run.errors, containsText("/tokens: 1 value is stored as float32 reads them"));
    CHECK_THAT(run.errors, containsText(dump + ": 4 tensors\n"));
    CHECK(runProgram("calib", {"info", dump, "--columns", "tensor,role,type,shape,guess"}).output ==
          "tensor,role,type,shape,guess\n"
          "block/conv,activation,float32,2 x 3 x 4,no\n"
          "net.conv.weight,weight,float32,3 x 2,no\n"
          "half,unknown,float32,2,no\n"
          "tokens,unknown,int64,4,no\n");
    const std::string bytes = readBytes(dump);
    for (const std::string& stored :
         {bytesOfElements(values), bytesOfElements(std::vector<float>{1.0F, 5.9604645e-8F}),
          bytesOfElements(std::vector<float>{0.5F, -127.0F, 0.5F, 31.75F, -0.375F, 12.5F}),
          bytesOfElements(std::vector<std::int64_t>{1, -2, 16777216, 16777216})})
        CHECK(bytes.find(stored) != std::string::npos);
}

TEST_CASE("of a damaged dump the others are converted, and the damaged tensor is named")
{
    H5File file;
    file.write("/activations/good", {2, 4}, std::vector<float>(8, 1.5F));
    file.write("/activations/bad", {2, 4}, std::vector<float>(8, 2.5F),
               {.chunk = {2, 4}, .hasFletcher32 = true});
    std::string damaged = readBytes(file.path());
    const std::size_t at = damaged.find(std::string("\0\0\x20\x40\0\0\x20\x40", 8));
    REQUIRE(at != std::string::npos);
    damaged[at + 2] = '\x21';
    writeBytes(file.path(), damaged);
    const TemporaryFolder folder;
    const std::string dump = folder.file("dump.h5");
    const ProgramRun run = converted({file.path()}, dump);
    CHECK(run.exitCode == 3);
    CHECK_THAT(run.errors, containsText("/activations/bad"));
    CHECK_THAT(run.errors, containsText(dump + ": 1 tensor\n"));
    CHECK(runProgram("calib", {"info", dump, "--columns", "tensor"}).output == "tensor\ngood\n");

    const std::string none = folder.file("none.h5");
    CHECK(runProgram("calib", {"convert", "-o", none, "--tensor", "bad", file.path()}).exitCode ==
          3);
    CHECK_FALSE(std::filesystem::exists(none));
}

TEST_CASE("names that lie in each other are both there; the same name twice is reported")
{
    H5File one;
    one.write("/activations/a", {1, 2}, std::vector<float>{1.0F, 2.0F});
    H5File two;
    two.write("/activations/a/b", {1, 2}, std::vector<float>{3.0F, 4.0F});
    two.write("/activations/c", {1, 2}, std::vector<float>{5.0F, 6.0F});
    H5File three;
    three.write("/activations/c", {1, 2}, std::vector<float>{7.0F, 8.0F});
    const TemporaryFolder folder;
    const std::string dump = folder.file("dump.h5");
    const ProgramRun run = converted({one.path(), two.path(), three.path()}, dump);
    CHECK(run.exitCode == 3);
    CHECK_THAT(run.errors, containsText("c: its name is taken already"));
    CHECK(runProgram("calib", {"stats", dump, "--columns", "tensor,max"}).output ==
          "tensor,max\na,2\na.b,4\nc,6\n");
}

TEST_CASE("a conversion replaces none of its files, and needs a name")
{
    H5File file;
    file.write("/activations/a", {1, 2}, std::vector<float>{1.0F, 2.0F});
    const std::string before = readBytes(file.path());
    CHECK(converted({file.path()}, file.path()).exitCode == 2);
    CHECK(readBytes(file.path()) == before);
    CHECK(runProgram("calib", {"convert", file.path()}).exitCode == 2);
}

}  // namespace convert_test
