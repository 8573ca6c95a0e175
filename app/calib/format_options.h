// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/settings.h"

#include <string>

namespace calibscope::cli {

/// A format of another tool that is asked for, and what its head is to say.
struct AskedFormat
{
    std::string id;
    GivenSettings facts;
};

/// Of "ID[:PARAMETER=VALUE,...]"; an empty text asks for none. Throws Error(Usage) for an unknown
/// format, parameter or value.
[[nodiscard]] AskedFormat askedFormat(const std::string& text);

/// All ids, for a help text.
[[nodiscard]] std::string formatIds();

/// All formats as a table in JSON: id, title, suffix, whether they are written, what a value holds.
[[nodiscard]] std::string formatTable();

}  // namespace calibscope::cli
