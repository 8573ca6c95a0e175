// SPDX-License-Identifier: GPL-3.0-or-later
// The walk over a file's metadata: any bytes may be a file. Checksums count as right, so that what
// is behind them is reached, too.
#include "core/base/error.h"
#include "core/dump/structure/check_structure.h"

#include <cstddef>
#include <cstdint>
#include <string>

#include <sys/mman.h>
#include <unistd.h>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size)
{
    static const int file = ::memfd_create("fuzzed", 0);
    static const std::string path = "/proc/self/fd/" + std::to_string(file);
    if (::ftruncate(file, 0) != 0 || ::pwrite(file, bytes, size, 0) < 0)
        return 0;
    try {
        const auto findings = calibscope::structure::checkStructure(path);
        static_cast<void>(findings.firstReason());
        static_cast<void>(findings.reasonAgainst(findings.root));
    } catch (const calibscope::Error&) {
    }
    return 0;
}
