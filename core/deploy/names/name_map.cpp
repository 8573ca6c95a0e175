// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/deploy/names/name_map.h"

#include "core/base/csv.h"
#include "core/base/error.h"
#include "core/base/whole_file.h"

#include <span>
#include <utility>

namespace calibscope::deploy {

NameMap nameMapFromCsv(std::string_view csv, const std::string& origin)
{
    NameMap map;
    bool isFirst = true;
    forEachCsvRow(csv, origin, [&](std::span<const std::string> fields, std::size_t line) {
        const auto fail = [&](const std::string& what) {
            throw Error(Fault::Input, "{}: line {}: {}", origin, line, what);
        };
        if (fields.size() != 2)
            fail("has " + std::to_string(fields.size()) +
                 " fields; write a tensor of the dump and the graph's name for it");
        const bool isHead = std::exchange(isFirst, false) && fields[0] == "tensor" &&
                            (fields[1] == "graph_name" || fields[1] == "graph name");
        if (isHead)
            return;
        if (fields[0].empty() || fields[1].empty())
            fail("has an empty name");
        const auto [known, isNew] = map.emplace(fields[0], fields[1]);
        if (!isNew && known->second != fields[1])
            fail(fields[0] + " has two names, " + known->second + " and " + fields[1]);
    });
    return map;
}

NameMap readNameMap(const std::string& path)
{
    return nameMapFromCsv(readWholeFile(path), path);
}

}  // namespace calibscope::deploy
