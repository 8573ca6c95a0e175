// SPDX-License-Identifier: GPL-3.0-or-later
// Whole dumps of every container, as the programs open them: what the walk lets through must not
// crash the HDF5 library, nor keep it busy. Checksums count as right for the walk; the library has its own mind.
#include "core/base/error.h"
#include "core/dump/dump_file.h"

#include <cstddef>
#include <cstdint>
#include <string>

#include <sys/mman.h>
#include <unistd.h>

using namespace calibscope;

namespace {

constexpr std::uint64_t mostValues = 1U << 16U;  // of a tensor that is read
constexpr std::size_t mostTensors = 16;          // that are

void readValues(const DumpFile& dump, std::size_t tensor)
{
    const TensorInfo& info = dump.tensors()[tensor];
    if (!info.isReadable() || info.valueCount() > mostValues)
        return;
    try {
        double sum = 0.0;
        dump.source(tensor).visit(
            [&](const Block& block) {
                for (const float value : block.values)
                    sum += static_cast<double>(value);
            },
            {});
        static_cast<void>(sum);
    } catch (const Error&) {
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size)
{
    static const int file = ::memfd_create("fuzzed", 0);
    static const std::string path = "/proc/self/fd/" + std::to_string(file);
    if (::ftruncate(file, 0) != 0 || ::pwrite(file, bytes, size, 0) < 0)
        return 0;
    try {
        const auto dump = DumpFile::open(path, {.memoryBytes = 16U << 20U});
        for (std::size_t tensor = 0; tensor < dump->tensors().size() && tensor < mostTensors;
             ++tensor)
            readValues(*dump, tensor);
    } catch (const Error&) {
    }
    return 0;
}
