// SPDX-License-Identifier: GPL-3.0-or-later
// Session files. What is read of one is written and read again: nothing of it may change by that.
#include "core/base/error.h"
#include "ui/document/session_document.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

using namespace calibscope;

namespace {

/// No file is there, so that a dump is where the session says.
constexpr const char* folder = "/nowhere/at/all";
constexpr const char* origin = "/nowhere/at/all/s.calsession";

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size)
{
    const std::string_view text(reinterpret_cast<const char*>(bytes), size);
    std::string written;
    try {
        written = sessionJson(sessionFromJson(text, origin), folder);
    } catch (const Error&) {
        return 0;
    }
    const SessionDocument session = sessionFromJson(written, origin);
    const std::string again = sessionJson(session, folder);
    if (sessionJson(sessionFromJson(again, origin), folder) != again)
        std::abort();
    return 0;
}
