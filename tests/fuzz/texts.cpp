// SPDX-License-Identifier: GPL-3.0-or-later
// Texts that people write or send: recipes, presets, settings, gates, numbers, globs, the filter of
// the list; addresses.
#include "core/base/error.h"
#include "core/base/glob.h"
#include "core/base/location.h"
#include "core/base/number_text.h"
#include "core/base/settings.h"
#include "core/base/utf8.h"
#include "core/recipes/preset.h"
#include "core/recipes/recipe.h"
#include "core/report/tables/gate.h"
#include "tests/fuzz/fuzz_bytes.h"
#include "ui/models/tensor_filter.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

using namespace calibscope;

namespace {

void readText(unsigned kind, std::string_view text)
{
    switch (kind) {
    case 0: static_cast<void>(recipeFromJson(text, "fuzzed")); break;
    case 1: static_cast<void>(presetFromJson(text, "fuzzed")); break;
    case 2: static_cast<void>(parseGivenSettings(text, "fuzzed")); break;
    case 3: static_cast<void>(parseGate(text)); break;
    case 4:
        if (const auto number = parseNumber(text);
            number && parseNumber(numberText(*number)) != *number && *number == *number)
            std::abort();  // the shortest text that is read as the same number
        break;
    case 5: {
        const std::size_t half = text.size() / 2;
        static_cast<void>(matchesGlob(text.substr(0, half), text.substr(half)));
        break;
    }
    case 6:
        if (const std::string valid = validUtf8(text); validUtf8(valid) != valid)
            std::abort();
        break;
    case 7: {
        const Location location = parseLocation(text);
        if (parseLocation(location.address()) != location || location.host.starts_with('-') ||
            location.user.starts_with('-'))
            std::abort();  // it is printed as it was read, and no option to ssh
        break;
    }
    default: {
        TensorInfo info;
        info.name = "conv1";
        const TensorFilter filter(text);
        static_cast<void>(filter.matches({.tensor = info}));
    }
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size)
{
    fuzz::FuzzBytes input(bytes, size);
    const unsigned kind = input.number() % 9U;
    try {
        readText(kind, input.rest());
    } catch (const Error&) {
    }
    return 0;
}
