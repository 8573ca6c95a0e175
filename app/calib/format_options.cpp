// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/calib/format_options.h"

#include "core/exchange/exchange_format.h"

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

}  // namespace calibscope::cli
