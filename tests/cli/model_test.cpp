// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/catch.h"
#include "tests/support/file_bytes.h"
#include "tests/support/run_program.h"
#include "tests/support/temporary_folder.h"

#include <cstdint>
#include <string>
#include <vector>

namespace model_test {

using namespace calibscope;
using namespace calibscope::test;

std::string varint(std::uint64_t value)
{
    std::string bytes;
    for (; value >= 0x80U; value >>= 7U)
        bytes += static_cast<char>((value & 0x7fU) | 0x80U);
    return bytes + static_cast<char>(value);
}

/// Fields of a message, as Protocol Buffers write them.
std::string field(unsigned number, const std::string& bytes)
{
    return varint(number << 3U | 2U) + varint(bytes.size()) + bytes;
}

std::string field(unsigned number, std::uint64_t value)
{
    return varint(number << 3U) + varint(value);
}

std::string node(const std::string& op, const std::vector<std::string>& inputs,
                 const std::string& output)
{
    std::string bytes;
    for (const std::string& input : inputs)
        bytes += field(1, input);
    return field(1, bytes + field(2, output) + field(4, op));
}

/// A float tensor of 2 x 3 values.
std::string weight(const std::string& name)
{
    const std::vector<float> values = {1, -2, 3, 0.5F, 0, -0.25F};
    return field(5, field(1, 2) + field(1, 3) + field(2, 1) + field(8, name) +
                        field(9, std::string(reinterpret_cast<const char*>(values.data()),
                                             values.size() * sizeof(float))));
}

std::string model(const std::string& graph)
{
    return field(1, 8) + field(7, graph) + field(8, field(2, 13));
}

std::string twoLayers()
{
    return model(node("MatMul", {"x", "/fc/weight"}, "y") + node("Gather", {"table", "i"}, "z") +
                 weight("/fc/weight") + weight("table"));
}

TEST_CASE("a model's weights are listed and measured as those of a dump")
{
    const TemporaryFolder folder;
    const std::string path = folder.file("m.onnx");
    writeBytes(path, twoLayers());

    const ProgramRun info = runProgram(
        "calib", {"info", path, "--columns", "tensor,role,op,type,shape,channel_axis,layout_rule"});
    CHECK(info.errors.empty());
    CHECK(info.output == "tensor,role,op,type,shape,channel_axis,layout_rule\n"
                         "fc.weight,weight,MatMul,float32,2 x 3,1,onnx-model\n"
                         "table,weight,Gather,float32,2 x 3,0,onnx-model\n");
    CHECK(runProgram("calib", {"stats", path, "--tensor", "table", "--columns", "min,max,zeros"})
              .output == "min,max,zeros\n-2,3,1\n");
    const ProgramRun scales =
        runProgram("calib", {"scales", path, "--calibrator", "min-max", "--tensor", "fc.weight",
                             "--columns", "tensor,channel,scale", "--rows", "channel"});
    CHECK(scales.exitCode == 0);
    CHECK_THAT(scales.output, containsText("fc.weight"));
    CHECK(runProgram("calib", {"compare", path, path}).exitCode == 0);
    const ProgramRun python =
        runProgram("calib", {"python", path, "--tensor", "table", "--what", "statistics"});
    CHECK(python.exitCode == 2);
    CHECK_THAT(python.errors, containsText("no Python for what is in no HDF5 file"));
}

TEST_CASE("a model that is damaged, or would take all memory, ends with a sentence and code 3")
{
    const TemporaryFolder folder;
    const std::string path = folder.file("m.onnx");
    const auto errorsOf = [&](const std::string& bytes) {
        writeBytes(path, bytes);
        const ProgramRun run = runProgram("calib", {"info", path});
        CHECK(run.exitCode == 3);
        CHECK(run.output.find('\n') == run.output.size() - 1);  // the header alone
        return run.errors;
    };
    CHECK_THAT(errorsOf(twoLayers().substr(0, 100)), containsText("it is truncated"));
    CHECK_THAT(errorsOf(field(1, 8) + field(8, field(2, 13))), containsText("without a graph"));
    std::string bomb;
    for (int empty = 0; empty < 2'000'000; ++empty)
        bomb += field(1, std::string());
    CHECK_THAT(errorsOf(model(bomb)), containsText("would take more than 160 MiB of memory"));
    std::string nested;
    for (int level = 0; level < 200; ++level)
        nested = field(1, field(5, field(6, nested)));
    CHECK_THAT(errorsOf(model(nested)), containsText("nested too deep"));
}

}  // namespace model_test
