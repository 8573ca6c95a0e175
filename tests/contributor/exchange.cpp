// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/error.h"
#include "core/base/number_text.h"
#include "core/exchange/exchange_format.h"

namespace calibscope::exchange {

namespace {

Likeness recogniseLines(std::string_view /*bytes*/)
{
    return Likeness::None;
}

ScaleFile readLines(std::string_view /*bytes*/, const std::string& origin)
{
    throw Error(Fault::Input, origin + ": is only written");
}

std::string writeLines(const ScaleFile& file)
{
    std::string text;
    for (const ScaleEntry& entry : file.entries)
        text += entry.name + " " + numberText(widestEnd(entry.values.at(0))) + "\n";
    return text;
}

}  // namespace

ExchangeFormat addedRule()
{
    return {.order = 900,
            .id = "lines",
            .title = "Lines",
            .source = "an example",
            .holds = "thresholds",
            .recognise = recogniseLines,
            .read = readLines,
            .write = writeLines};
}

}  // namespace calibscope::exchange
