// SPDX-License-Identifier: GPL-3.0-or-later
// Any bytes may be a model: its outline, its constants, then all that writing does before it
// writes.
#include "core/base/error.h"
#include "core/model/check_model.h"
#include "core/model/lift.h"
#include "core/model/model_file.h"
#include "core/model/parse_model.h"
#include "core/model/quantized_tensors.h"

#include <cstddef>
#include <cstdint>
#include <string>

#include <onnx/onnx_pb.h>
#include <sys/mman.h>
#include <unistd.h>

namespace {

constexpr std::uint64_t mostMemory = std::uint64_t{64} << 20U;

void readConstants(const calibscope::model::ModelFile& file)
{
    for (std::size_t tensor = 0; tensor < file.tensors().size(); ++tensor)
        try {
            if (file.tensors()[tensor].isConstant && file.bytesToRead(tensor) < mostMemory)
                static_cast<void>(file.values(tensor));
        } catch (const calibscope::Error&) {
        }
}

void readQuantized(const calibscope::model::ModelFile& file)
try {
    for (const auto& tensor : calibscope::model::quantizedTensors(file).tensors)
        if (tensor.isWeight && file.bytesToRead(tensor.use.tensor) < mostMemory) {
            static_cast<void>(calibscope::model::levelsOf(file, tensor));
            static_cast<void>(calibscope::model::dequantizedValues(file, tensor));
        }
} catch (const calibscope::Error&) {
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size)
{
    static const int file = ::memfd_create("fuzzed", 0);
    static const std::string path = "/proc/self/fd/" + std::to_string(file);
    if (::ftruncate(file, 0) != 0 || ::pwrite(file, bytes, size, 0) < 0)
        return 0;
    try {
        static_cast<void>(calibscope::model::isModel(path));
        const auto outline = calibscope::model::ModelFile::readOutline(path, mostMemory);
        readConstants(*outline);
        readQuantized(*outline);
        ::onnx::ModelProto model = calibscope::model::parsedModel(path, mostMemory);
        static_cast<void>(calibscope::model::faultOf(model));
        static_cast<void>(calibscope::model::lift(model, path));
        static_cast<void>(calibscope::model::faultOf(model));
    } catch (const calibscope::Error&) {
    }
    return 0;
}
