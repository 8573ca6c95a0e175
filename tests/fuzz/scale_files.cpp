// SPDX-License-Identifier: GPL-3.0-or-later
// Files of other tools' scales: each format's reader, its writer on what was read, and the lints.
#include "core/base/error.h"
#include "core/exchange/entry_lints.h"
#include "core/exchange/exchange_format.h"
#include "tests/fuzz/fuzz_bytes.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>

using namespace calibscope;
using namespace calibscope::exchange;

namespace {

void readAs(const ExchangeFormat& format, std::string_view bytes)
{
    ScaleFile file = readScales(bytes, "fuzzed", format.id);
    static_cast<void>(headLints(file));
    for (const ScaleEntry& entry : file.entries)
        static_cast<void>(lintsOf(entry));
    if (format.write == nullptr)
        return;
    const std::size_t count = file.entries.size();
    const std::string again = scaleFileBytes(format, std::move(file));
    if (readScales(again, "written", format.id).entries.size() > count)
        std::abort();  // a name has become two entries
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size)
{
    fuzz::FuzzBytes input(bytes, size);
    const auto& formats = exchangeFormats();
    const std::size_t kind = input.number() % (formats.size() + 1);
    try {
        if (kind < formats.size())
            readAs(formats[kind], input.rest());
        else
            static_cast<void>(readScales(input.rest(), "fuzzed"));
    } catch (const Error&) {
    }
    return 0;
}
