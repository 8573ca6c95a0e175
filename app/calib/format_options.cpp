// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/calib/format_options.h"

#include "core/exchange/exchange_format.h"
#include "core/report/tables/table.h"

#include <array>
#include <string_view>

namespace calibscope::cli {

AskedFormat askedFormat(const std::string& text)
{
    if (text.empty())
        return {};
    const std::size_t colon = text.find(':');
    AskedFormat asked{.id = text.substr(0, colon)};
    const exchange::ExchangeFormat& format = exchange::exchangeFormat(asked.id);
    if (colon != std::string::npos)
        asked.facts = parseGivenSettings(text.substr(colon + 1), asked.id);
    static_cast<void>(Settings(format.parameters, asked.facts, asked.id));
    return asked;
}

std::string formatIds()
{
    std::string ids;
    for (const exchange::ExchangeFormat& format : exchange::exchangeFormats())
        ids += (ids.empty() ? "" : ", ") + std::string(format.id);
    return ids;
}

std::string formatTable()
{
    std::string text;
    TableWriter table([&text](std::string_view piece) { text += piece; }, TableFormat::Json,
                      {{.id = "id", .title = "id"},
                       {.id = "title", .title = "title"},
                       {.id = "suffix", .title = "suffix"},
                       {.id = "written", .title = "written"},
                       {.id = "holds", .title = "holds"}});
    for (const exchange::ExchangeFormat& format : exchange::exchangeFormats())
        table.row(std::array<Cell, 5>{
            std::string(format.id), std::string(format.title), std::string(format.suffix),
            format.write != nullptr ? "yes" : "no", std::string(format.holds)});
    table.finish();
    return text;
}

}  // namespace calibscope::cli
